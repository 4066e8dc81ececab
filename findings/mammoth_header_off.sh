#!/usr/bin/env bash
# mammoth takes every row of a table for a heading where the document says of each whether it is one.
#
# Expected: <w:tblHeader w:val="off"/> says that a row is none, as such a value does of every property that is on or
# off.
# Seen with mammoth 1.13.0 and docx 9.15.2 (Node 20): docx writes it for a row with tableHeader: false, and mammoth,
# which asks whether the element is there, puts all rows into <thead>. It does look at the value of bold, which is
# off in the second row.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error mammoth@1.13.0 docx@9.15.2

cat > read.js <<'END'
const docx = require('docx')
const mammoth = require('mammoth')
const row = (text, tableHeader) => new docx.TableRow({ tableHeader, children: [new docx.TableCell({ children: [new docx.Paragraph({ children: [new docx.TextRun({ text, bold: tableHeader })] })] })] })

async function main() {
  const table = new docx.Table({ rows: [row('Day', true), row('Monday', false)] })
  const buffer = await docx.Packer.toBuffer(new docx.Document({ sections: [{ children: [table] }] }))
  console.log((await mammoth.convertToHtml({ buffer })).value)
}
main()
END

for package in mammoth docx; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<table><thead><tr><th><p><strong>Day</strong></p></th></tr><tr><th><p>Monday</p></th></tr></thead></table>
END
