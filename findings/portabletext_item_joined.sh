#!/usr/bin/env bash
# Sanity's @portabletext/markdown joins the paragraphs of a step: "Take 5" above "10 drops" becomes "Take 510 drops".
#
# Expected: the second paragraph of an item is a line or a block of its own, as it is outside of a list; <br> is a line
# break.
# Seen with @portabletext/markdown 2.2.0 (Node 20): the paragraphs of an item are one, with nothing between them, and
# <br> is nothing, so that the 10 of 10<sup>6</sup> stands right before its exponent, too. A list that begins at 3
# begins at 1.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @portabletext/markdown@2.2.0

cat > read.mjs <<'END'
import { markdownToPortableText, portableTextToMarkdown } from '@portabletext/markdown'
for (const text of ['Take 5\n\n10 drops', '1. Take 5\n\n   10 drops\n\n2. Rest', 'Take 5<br>10 drops', '10<sup>6</sup> cells', '3. Boil\n4. Pour']) {
  console.log(JSON.stringify(text), '->', JSON.stringify(portableTextToMarkdown(markdownToPortableText(text))))
}
END

node -p "'@portabletext/markdown ' + JSON.parse(fs.readFileSync('node_modules/@portabletext/markdown/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Take 5\n\n10 drops" -> "Take 5\n\n10 drops"
"1. Take 5\n\n   10 drops\n\n2. Rest" -> "1. Take 510 drops\n2. Rest"
"Take 5<br>10 drops" -> "Take 510 drops"
"10<sup>6</sup> cells" -> "106 cells"
"3. Boil\n4. Pour" -> "1. Boil\n2. Pour"
END
