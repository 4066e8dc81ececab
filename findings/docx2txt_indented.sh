#!/usr/bin/env bash
# docx2txt takes blanks between the elements of a Word document for text.
#
# Expected: only what stands in <w:t> is text, whatever lies between elements: XML may be indented.
# Seen with docx2txt 1.4 (Debian 12) and html-to-docx 1.8.0 (Node 20), which indents: the words of a sentence that
# is partly bold are lines of their own, far apart. The same document without the indents is one line.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends docx2txt=1.4-5 > install.txt 2>&1 || { cat install.txt; exit 1; }
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error html-to-docx@1.8.0 jszip@3.10.1

cat > write.js <<'END'
const fs = require('fs')
const JSZip = require('jszip')
const write = require('html-to-docx')

async function main() {
  const zip = await JSZip.loadAsync(await write('<p>Take <b>one</b> pill.</p>'))
  const name = 'word/document.xml'
  fs.writeFileSync('indented.docx', await zip.generateAsync({ type: 'nodebuffer' }))
  zip.file(name, (await zip.file(name).async('string')).replace(/>\s*\n\s*</g, '><'))
  fs.writeFileSync('plain.docx', await zip.generateAsync({ type: 'nodebuffer' }))
}
main()
END
node write.js
for name in indented plain; do
  docx2txt "$name.docx" - > "$name.txt"
  echo "$name: $(sed -e 's/^ *//' -e 's/ *$//' -e '/^$/d' "$name.txt" | paste -sd '/')"
done > seen.txt
dpkg-query -W docx2txt
node -p "'html-to-docx ' + JSON.parse(fs.readFileSync('node_modules/html-to-docx/package.json')).version"
cat seen.txt
diff seen.txt - <<'END'
indented: Take/one/pill.
plain: Take one pill.
END
