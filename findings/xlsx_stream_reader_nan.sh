#!/usr/bin/env bash
# xlsx-stream-reader reads the words of a workbook that SheetJS wrote as NAN.
#
# Expected: a cell of the type "str" is text, as it is in every workbook that SheetJS writes unless it is asked for
# shared strings.
# Seen with xlsx-stream-reader 1.1.1, xlsx 0.18.5 and json-as-xlsx 2.6.4 (Node 20): it is made a number: headings
# are NAN, the code 007 is 7 and 2E3 is 2000. The same cells as shared strings are read as they are.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error xlsx-stream-reader@1.1.1 json-as-xlsx@2.6.4 xlsx@0.18.5

cat > read.js <<'END'
const { Readable } = require('stream')
const jsonAsXlsx = require('json-as-xlsx')
const Reader = require('xlsx-stream-reader')

const rows = (buffer) => new Promise((resolve, reject) => {
  const found = []
  const reader = new Reader()
  reader.on('worksheet', (sheet) => {
    sheet.on('row', (row) => found.push(row.values.slice(1).join(', ')))
    sheet.process()
  })
  reader.on('error', reject)
  reader.on('end', () => resolve(found))
  Readable.from([buffer]).pipe(reader)
})

async function main() {
  const content = [{ code: '007', name: 'Tea' }, { code: '2E3', name: 'Milk' }]
  const columns = [{ label: 'Code', value: 'code' }, { label: 'Name', value: 'name' }]
  for (const bookSST of [false, true]) {
    const buffer = jsonAsXlsx([{ sheet: 'Stock', columns, content }], { writeOptions: { type: 'buffer', bookType: 'xlsx', bookSST } })
    console.log(bookSST ? 'shared strings:' : 'as it is:', (await rows(buffer)).join(' / '))
  }
}
main()
END

for package in xlsx-stream-reader json-as-xlsx xlsx; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
as it is: NAN, NAN / 7, NAN / 2000, NAN
shared strings: Code, Name / 007, Tea / 2E3, Milk
END
