#!/usr/bin/env bash
# Both libraries called html-to-docx leave out the words of <q>, <cite> and <ruby>.
#
# Expected: a quotation within a line, a title, and characters that have their reading above are written as text at
# least, as <mark> is.
# Seen with html-to-docx 1.8.0 and @turbodocx/html-to-docx 1.23.1 (Node 20): they are not in the document, nor is
# the caption of a table. The words around them are, so that a sentence reads well and lacks its object.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error html-to-docx@1.8.0 @turbodocx/html-to-docx@1.23.1 jszip@3.10.1

cat > write.js <<'END'
const JSZip = require('jszip')
const html = '<p>He called it <q>a cold</q> and <mark>left</mark>.</p><p>The <cite>book</cite> has <ruby>漢字<rt>kanji</rt></ruby> in it.</p>' +
  '<table><caption>Hours</caption><tr><td>Monday</td></tr></table>'

async function main() {
  for (const name of ['html-to-docx', '@turbodocx/html-to-docx']) {
    const write = require(name)
    const zip = await JSZip.loadAsync(await (write.default || write)(html))
    const xml = await zip.file('word/document.xml').async('string')
    const paragraphs = xml.split('</w:p>').map((part) => [...part.matchAll(/<w:t[^>]*>([^<]*)</g)].map(([, text]) => text).join('').trim())
    console.log(name, JSON.stringify(paragraphs.filter((text) => text)))
  }
}
main()
END

for package in html-to-docx @turbodocx/html-to-docx; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node write.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
html-to-docx ["He called it  and left.","The  has  in it.","Monday"]
@turbodocx/html-to-docx ["He called it  and left.","The  has  in it.","Monday"]
END
