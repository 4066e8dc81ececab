#!/usr/bin/env bash
# telegram-markdown-v2 joins the paragraphs of a quotation: "Take 5" above "10 drops" becomes "Take 510 drops".
#
# Expected: paragraphs of a quotation are apart by a line, as they are outside of one and as lines of one paragraph are.
# Seen with telegram-markdown-v2 0.0.4 (Node 20): nothing stands between them, and a heading is joined with the text
# below it. A bar within a cell (5\|6) becomes one between two cells.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error telegram-markdown-v2@0.0.4

cat > read.mjs <<'END'
import { convert } from 'telegram-markdown-v2'
const texts = ['Take 5\n\n10 drops', '> Take 5\n> 10 drops', '> Take 5\n>\n> 10 drops', '> # Dose 5\n> 10 drops', '| a | b |\n|---|---|\n| 5\\|6 | 7 |']
for (const text of texts) console.log(JSON.stringify(text), '->', JSON.stringify(convert(text)))
END

node -p "'telegram-markdown-v2 ' + JSON.parse(fs.readFileSync('node_modules/telegram-markdown-v2/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Take 5\n\n10 drops" -> "Take 5\n\n10 drops\n"
"> Take 5\n> 10 drops" -> "> Take 5\n> 10 drops\n"
"> Take 5\n>\n> 10 drops" -> "> Take 510 drops\n"
"> # Dose 5\n> 10 drops" -> "> *Dose 5*10 drops\n"
"| a | b |\n|---|---|\n| 5\\|6 | 7 |" -> "| a | b |\n| 5|6 | 7 |\n"
END
