#!/usr/bin/env bash
# SheetJS shows hidden rows although it is told to skip them: all of them by default, and those of LibreOffice always.
#
# Expected: sheet_to_csv with skipHidden leaves out what the file says is hidden, whether it writes hidden="1", as Excel
# and openpyxl do, or hidden="true", as LibreOffice does: both are true in XML Schema.
# Seen with xlsx 0.18.5 (Node 20): the file has to be read with cellStyles, or nothing is skipped; with it, a column with
# "true" is skipped and a row with "true" is not, so that a dose that was hidden as out of date is in the list.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error xlsx@0.18.5 jszip@3.10.1

cat > read.js <<'END'
const JSZip = require('jszip')
const XLSX = require('xlsx')

const types = 'http://schemas.openxmlformats.org/package/2006/content-types'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

async function workbook(hidden) {
  const zip = new JSZip()
  zip.file('[Content_Types].xml', `<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${media}.worksheet+xml"/></Types>`)
  zip.file('_rels/.rels', `<Relationships xmlns="${relations}"><Relationship Id="r" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`)
  zip.file('xl/workbook.xml', `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Doses" sheetId="1" r:id="s"/></sheets></workbook>`)
  zip.file('xl/_rels/workbook.xml.rels', `<Relationships xmlns="${relations}"><Relationship Id="s" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`)
  const row = (number, cells, attributes = '') => `<row r="${number}"${attributes}>${cells.map((text, i) => `<c r="${'ABC'[i]}${number}" t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
  zip.file('xl/worksheets/sheet1.xml', `<worksheet xmlns="${main}"><cols><col min="2" max="2" width="9" hidden="${hidden}"/></cols><sheetData>` +
    row(1, ['Drug', 'Old', 'Dose']) + row(2, ['Digoxin', '2 mg', 'withdrawn'], ` hidden="${hidden}"`) + row(3, ['Atenolol', '3 mg', '50 mg']) + '</sheetData></worksheet>')
  return zip.generateAsync({ type: 'nodebuffer' })
}

async function run() {
  for (const hidden of ['1', 'true']) {
    for (const cellStyles of [false, true]) {
      const book = XLSX.read(await workbook(hidden), { cellStyles })
      console.log(`hidden="${hidden}", cellStyles ${cellStyles}: ${JSON.stringify(XLSX.utils.sheet_to_csv(book.Sheets.Doses, { skipHidden: true }))}`)
    }
  }
}
run()
END

node -p "'xlsx ' + require('xlsx/package.json').version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
hidden="1", cellStyles false: "Drug,Old,Dose\nDigoxin,2 mg,withdrawn\nAtenolol,3 mg,50 mg"
hidden="1", cellStyles true: "Drug,Dose\nAtenolol,50 mg"
hidden="true", cellStyles false: "Drug,Old,Dose\nDigoxin,2 mg,withdrawn\nAtenolol,3 mg,50 mg"
hidden="true", cellStyles true: "Drug,Dose\nDigoxin,withdrawn\nAtenolol,50 mg"
END
