#!/usr/bin/env bash
# adf-to-md joins the paragraphs of a cell, and an item with the list below it.
#
# Expected: paragraphs of one cell are apart by a blank or <br>, and a list within a list begins on a line of its
# own, indented; what cannot be said in Markdown is in the warnings that it gives.
# Seen with adf-to-md 1.2.1 (Node 20): "5" above "10" in a cell of a Jira issue is 510, and the first step below an
# item stands in its line, so that the second is the only one that Markdown has. There is no warning of either.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error adf-to-md@1.2.1

cat > convert.js <<'END'
const { convert } = require('adf-to-md')
const paragraph = (text) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
const item = (...content) => ({ type: 'listItem', content })
const row = (type, ...cells) => ({ type: 'tableRow', content: cells.map((content) => ({ type, content })) })
const blocks = [
  { type: 'table', content: [row('tableHeader', [paragraph('Day')], [paragraph('mg')]), row('tableCell', [paragraph('Monday')], [paragraph('5'), paragraph('10')])] },
  { type: 'bulletList', content: [item(paragraph('Tea'), { type: 'orderedList', content: [item(paragraph('Boil')), item(paragraph('Pour'))] }), item(paragraph('Milk'))] }
]
for (const block of blocks) {
  const { result, warnings } = convert({ version: 1, type: 'doc', content: [block] })
  console.log(`${result.trimEnd()}\nwarnings: ${[...warnings].length}`)
}
END

node -p "'adf-to-md ' + JSON.parse(fs.readFileSync('node_modules/adf-to-md/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
|Day|mg|
|:-:|:-:|
|Monday|510|
warnings: 0
  * Tea   1. Boil
  2. Pour
  * Milk
warnings: 0
END
