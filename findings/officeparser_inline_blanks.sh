#!/usr/bin/env bash
# officeparser joins two emphasised words of an e-book or a page: "5 10 mg" becomes "510 mg".
#
# Expected: the blank between </b> and <i> parts two words, as browsers show it and as it is where only one of them is
# emphasised; a character reference such as &#160; is the character.
# Seen with officeparser 7.8.0 and jszip 3.10.1 (Node 20), for EPUB and for HTML: a text that is only blanks or a line
# break is dropped between two elements of a line. &#160; stays as it is written, and what follows the list within an
# item comes before it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts officeparser@7.8.0 jszip@3.10.1

cat > read.js <<'END'
const JSZip = require('jszip')
const { parseOffice } = require('officeparser')
const page = (body) => `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Doses</title></head><body>${body}</body></html>`
// A book with one chapter.
const book = (body) => {
  const archive = new JSZip()
  archive.file('mimetype', 'application/epub+zip', { compression: 'STORE' })
  archive.file('META-INF/container.xml', '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>')
  archive.file('book.opf', '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">doses</dc:identifier><dc:title>Doses</dc:title><dc:language>en</dc:language></metadata><manifest><item id="one" href="one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="one"/></spine></package>')
  archive.file('one.xhtml', `<?xml version="1.0" encoding="UTF-8"?>${page(body)}`)
  return archive.generateAsync({ type: 'nodebuffer' })
}
const text = async (file, fileType) => JSON.stringify((await parseOffice(file, { fileType })).toText())
const main = async () => {
  for (const body of ['<p>Take <b>5</b> or 10 mg</p>', '<p><b>5</b> <i>10</i> mg</p>', '<p>Take <b>5</b>\n<span>mg</span></p>', '<p>5&#160;mg</p>', '<ul><li>Take 5<ul><li>with food</li></ul>or 10</li></ul>']) {
    console.log(JSON.stringify(body), '\n  EPUB:', await text(await book(body), 'epub'), '\n  HTML:', await text(Buffer.from(page(body)), 'html'))
  }
  process.exit(0)
}
main()
END

node -p "'officeparser ' + JSON.parse(fs.readFileSync('node_modules/officeparser/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"<p>Take <b>5</b> or 10 mg</p>" 
  EPUB: "Take 5 or 10 mg" 
  HTML: "Take 5 or 10 mg"
"<p><b>5</b> <i>10</i> mg</p>" 
  EPUB: "510 mg" 
  HTML: "510 mg"
"<p>Take <b>5</b>\n<span>mg</span></p>" 
  EPUB: "Take 5mg" 
  HTML: "Take 5mg"
"<p>5&#160;mg</p>" 
  EPUB: "5&#160;mg" 
  HTML: "5&#160;mg"
"<ul><li>Take 5<ul><li>with food</li></ul>or 10</li></ul>" 
  EPUB: "Take 5\nor 10\nwith food" 
  HTML: "Take 5\nor 10\nwith food"
END
