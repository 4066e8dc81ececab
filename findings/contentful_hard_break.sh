#!/usr/bin/env bash
# Contentful's rich-text-from-markdown drops a hard line break and keeps a soft one: 5 above 10 mg becomes 510 mg.
#
# Expected: the break that Markdown shows, two blanks or a backslash at the end of a line, is a new line in the text, as
# <br> is.
# Seen with @contentful/rich-text-from-markdown 16.2.2 (Node 20): both ways to write it join the lines. A line end that
# Markdown does not show is kept. The words of a link whose address stands at the end of the document are gone, too.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @contentful/rich-text-from-markdown@16.2.2

cat > convert.js <<'END'
const { richTextFromMarkdown } = require('@contentful/rich-text-from-markdown')
const words = (node) => node.value ?? (node.content ?? []).map(words).join('')
const texts = ['Take 5  \n10 mg', 'Take 5\\\n10 mg', 'Take 5<br>10 mg', 'Take 5\n10 mg', 'See [the plan][p] now.\n\n[p]: https://example.org\n']
;(async () => {
  for (const text of texts) console.log(JSON.stringify(text), 'becomes', JSON.stringify(words(await richTextFromMarkdown(text))))
})()
END

node -p "'@contentful/rich-text-from-markdown ' + JSON.parse(fs.readFileSync('node_modules/@contentful/rich-text-from-markdown/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Take 5  \n10 mg" becomes "Take 510 mg"
"Take 5\\\n10 mg" becomes "Take 510 mg"
"Take 5<br>10 mg" becomes "Take 5\n10 mg"
"Take 5\n10 mg" becomes "Take 5\n10 mg"
"See [the plan][p] now.\n\n[p]: https://example.org\n" becomes "See  now."
END
