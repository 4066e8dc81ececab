#!/usr/bin/env bash
# ExcelJS and SheetJS write a filtered list without its filter, and leave the rows hidden that it hid.
#
# Expected: a list in which one shows ward A for now has, once it is read and written, its filter with what it shows, as
# xlsx-populate and openpyxl keep it, or all of its rows.
# Seen with exceljs 4.4.0 and xlsx 0.18.5 (Node 20): <autoFilter> has lost its <filterColumn>, and the row of ward B still
# has hidden="1". The button of the filter says that all is shown, clearing it has nothing to clear, and readers that
# show filtered rows and skip hidden ones skip a patient.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-openpyxl=3.0.9-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error exceljs@4.4.0 xlsx@0.18.5 xlsx-populate@1.21.0 jszip@3.10.1

cat > write.py <<'END'
import openpyxl
from openpyxl.worksheet.filters import FilterColumn, Filters

book = openpyxl.Workbook()
sheet = book.active
for row in [('Ward', 'Patient'), ('A', 'Doe'), ('B', 'Roe'), ('A', 'Poe')]:
    sheet.append(row)
sheet.auto_filter.ref = 'A1:B4'
sheet.auto_filter.filterColumn.append(FilterColumn(colId=0, filters=Filters(filter=['A'])))
sheet.row_dimensions[3].hidden = True
book.save('filtered.xlsx')
openpyxl.load_workbook('filtered.xlsx').save('openpyxl.xlsx')
END
cat > copy.js <<'END'
const fs = require('fs')
const ExcelJS = require('exceljs')
const JSZip = require('jszip')
const populate = require('xlsx-populate')
const XLSX = require('xlsx')

async function run() {
  const book = new ExcelJS.Workbook()
  await book.xlsx.readFile('filtered.xlsx')
  await book.xlsx.writeFile('exceljs.xlsx')
  XLSX.writeFile(XLSX.readFile('filtered.xlsx', { cellStyles: true }), 'xlsx.xlsx')
  await (await populate.fromFileAsync('filtered.xlsx')).toFileAsync('xlsx-populate.xlsx')
  for (const name of ['filtered', 'openpyxl', 'xlsx-populate', 'exceljs', 'xlsx']) {
    const zip = await JSZip.loadAsync(fs.readFileSync(name + '.xlsx'))
    const sheet = await zip.file('xl/worksheets/sheet1.xml').async('string')
    console.log(`${name}: row 3 ${sheet.match(/<row r="3"[^>]*?(hidden="1")/)[1]}, ${sheet.match(/<autoFilter.*<\/autoFilter>|<autoFilter[^>]*\/>/)[0]}`)
  }
}
run()
END

/usr/bin/python3 write.py
node -p "['exceljs', 'xlsx', 'xlsx-populate'].map(name => name + ' ' + require(name + '/package.json').version).join(', ')"
node copy.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
filtered: row 3 hidden="1", <autoFilter ref="A1:B4"><filterColumn colId="0"><filters><filter val="A"/></filters></filterColumn></autoFilter>
openpyxl: row 3 hidden="1", <autoFilter ref="A1:B4"><filterColumn colId="0"><filters><filter val="A"/></filters></filterColumn></autoFilter>
xlsx-populate: row 3 hidden="1", <autoFilter ref="A1:B4"><filterColumn colId="0"><filters><filter val="A"/></filters></filterColumn></autoFilter>
exceljs: row 3 hidden="1", <autoFilter ref="A1:B4"/>
xlsx: row 3 hidden="1", <autoFilter ref="A1:B4"/>
END
