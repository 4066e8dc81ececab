#!/usr/bin/env bash
# Two readers of HTML tables name the first column by the heading of the last row, and move all values one column to the
# left.
#
# Expected: a row may begin with a heading (<th>), as tables of the Web Accessibility Initiative and of Wikipedia do:
# {"Day": "Tuesday", "Dose": "10", "Time": "9:00"}.
# Seen with tabletojson 4.1.15 and html-table-to-json 1.0.0 (Node 20): each heading of a row is taken for one of a
# column, the last of them holds, and the cells are counted without it, so that the dose of each day is "Tuesday" and
# the time is the dose. Paragraphs and lines of a cell are joined: 5 above 10 is 510. Without <th> in the rows, the
# first is right.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error tabletojson@4.1.15 html-table-to-json@1.0.0

cat > read.mjs <<'END'
import { tabletojson } from 'tabletojson'
import HtmlTableToJson from 'html-table-to-json'
const table = (cell) => `<table><thead><tr><th>Day</th><th>Dose</th><th>Time</th></tr></thead><tbody>
<tr><${cell}>Monday</${cell}><td>5<br>10</td><td>8:00</td></tr><tr><${cell}>Tuesday</${cell}><td>10</td><td>9:00</td></tr></tbody></table>`
for (const cell of ['td', 'th']) {
  console.log(`days in <${cell}>`)
  console.log('  tabletojson', JSON.stringify(tabletojson.convert(table(cell))[0]))
  console.log('  html-table-to-json', JSON.stringify(HtmlTableToJson.parse(table(cell)).results[0]))
}
END

for package in tabletojson html-table-to-json; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
days in <td>
  tabletojson [{"Day":"Monday","Dose":"510","Time":"8:00"},{"Day":"Tuesday","Dose":"10","Time":"9:00"}]
  html-table-to-json [{"Day":"Monday","Dose":"510","Time":"8:00"},{"Day":"Tuesday","Dose":"10","Time":"9:00"}]
days in <th>
  tabletojson [{"Tuesday":"510","Dose":"8:00"},{"Tuesday":"10","Dose":"9:00"}]
  html-table-to-json [{"Tuesday":"510","Dose":"8:00"},{"Tuesday":"10","Dose":"9:00"}]
END
