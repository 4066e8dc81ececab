#!/usr/bin/env bash
# wikity cuts the first sign of a cell that has no blank before it: |10 is 0, and |5||10 is "||10".
#
# Expected: a cell of a table in MediaWiki's markup begins right behind the bar, with a blank or without, and "||"
# begins the next one on the same line, as "!!" does in a head.
# Seen with wikity 1.3.0 and, beside it, instaview 0.6.3 (Node 20): the sign is gone, whatever it is, so that doses of
# two digits are another dose and those of one digit are none. Cells on one line are one cell with the bars in it. The
# other library has all cells as the page shows them.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error wikity@1.3.0 instaview@0.6.3

cat > parse.js <<'END'
const instaview = require('instaview')
const { parse } = require('wikity')
const cells = (html) => JSON.stringify([...html.matchAll(/<t[dh][^>]*>([^<]*)/g)].map(([, text]) => text.trim()))
for (const rows of ['| 5\n| 10', '|5\n|10', '|5||10', '| 5 || 10', '!Dose!!Unit\n|-\n|25||mg']) {
  const text = `{|\n|-\n${rows}\n|}`
  console.log(`${JSON.stringify(rows)}\n  wikity:    ${cells(parse(text).toString())}\n  instaview: ${cells(instaview.convert(text))}`)
}
END

for package in wikity instaview; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node parse.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"| 5\n| 10"
  wikity:    ["5","10"]
  instaview: ["5","10"]
"|5\n|10"
  wikity:    ["","0"]
  instaview: ["5","10"]
"|5||10"
  wikity:    ["||10"]
  instaview: ["5","10"]
"| 5 || 10"
  wikity:    ["5 || 10"]
  instaview: ["5","10"]
"!Dose!!Unit\n|-\n|25||mg"
  wikity:    ["Dose!!Unit","5||mg"]
  instaview: ["Dose","Unit","25","mg"]
END
