#!/usr/bin/env bash
# node-html-markdown moves cells to the left below a cell that spans rows, and joins what stands in lines in a cell.
#
# Expected: a row that has a cell less, as the one above reaches into it, leaves its place empty; lines and items of
# a list in one cell are apart by a blank or <br>.
# Seen with node-html-markdown 2.0.0 (Node 20): "3" of the column mg stands below "Day", and its own place is empty;
# "1" above "5" is 15. An empty place is filled at the end of the row, so that nothing looks wrong.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error node-html-markdown@2.0.0

cat > convert.js <<'END'
const { NodeHtmlMarkdown } = require('node-html-markdown')
const head = '<tr><th>Day</th><th>mg</th></tr>'
for (const rows of ['<tr><td rowspan="2">Monday</td><td>2</td></tr><tr><td>3</td></tr>', '<tr><td>Tuesday</td><td>1<br>5</td></tr>', '<tr><td>Sunday</td><td><ul><li>1</li><li>5</li></ul></td></tr>']) {
  console.log(NodeHtmlMarkdown.translate(`<table>${head}${rows}</table>`).trim())
}
END

node -p "'node-html-markdown ' + JSON.parse(fs.readFileSync('node_modules/node-html-markdown/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
| Day    | mg |
| ------ | -- |
| Monday | 2  |
| 3      |    |
| Day     | mg |
| ------- | -- |
| Tuesday | 15 |
| Day    | mg |
| ------ | -- |
| Sunday | 15 |
END
