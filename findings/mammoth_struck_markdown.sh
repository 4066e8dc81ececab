#!/usr/bin/env bash
# mammoth's Markdown of a Word document drops the line through struck-out text, which its HTML has.
#
# Expected: "5 mg" struck out before "10 mg" is marked, or at least apart, in every output; what was deleted
# while changes were tracked is left out, so that struck-out text should not read as valid either.
# Seen with mammoth 1.13.0 (Node 20): convertToHtml writes <s>5 mg</s>10 mg, convertToMarkdown and
# extractRawText write 5 mg10 mg, one word that is no dose.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error mammoth@1.13.0 jszip@3.10.1

cat > read.js <<'END'
const JSZip = require('jszip')
const mammoth = require('mammoth')

const types = 'http://schemas.openxmlformats.org/package/2006/content-types'
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const media = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
const run = (text, properties = '') => `<w:r>${properties}<w:t xml:space="preserve">${text}</w:t></w:r>`

async function main() {
  const zip = new JSZip()
  zip.file('[Content_Types].xml', `<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${media}"/></Types>`)
  zip.file('_rels/.rels', `<Relationships xmlns="${relations}"><Relationship Id="r" Type="${office}" Target="word/document.xml"/></Relationships>`)
  zip.file('word/document.xml', `<w:document xmlns:w="${word}"><w:body><w:p>${run('Take ')}${run('5 mg', '<w:rPr><w:strike/></w:rPr>')}${run('10 mg')}</w:p></w:body></w:document>`)
  const buffer = await zip.generateAsync({ type: 'nodebuffer' })
  for (const name of ['convertToHtml', 'convertToMarkdown', 'extractRawText']) {
    const { value } = await mammoth[name]({ buffer })
    console.log(`${name}: ${value.trim()}`)
  }
}
main()
END

node -p "'mammoth ' + require('mammoth/package.json').version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
convertToHtml: <p>Take <s>5 mg</s>10 mg</p>
convertToMarkdown: Take 5 mg10 mg
extractRawText: Take 5 mg10 mg
END
