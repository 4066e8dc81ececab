#!/usr/bin/env bash
# quill-to-word leaves the name of a variable in the document where the number of a list should stand.
#
# Expected: each paragraph of a numbered list names a numbering that the document has.
# Seen with quill-to-word 1.3.0 and mammoth 1.13.0 (Node 20): a document that begins with a numbered list says
# w:numId w:val="{numbered_-1}", which is no number, and mammoth reads its items as paragraphs. Where a sentence
# comes first, the lists are right.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error quill-to-word@1.3.0 mammoth@1.13.0 jszip@3.10.1

cat > write.js <<'END'
globalThis.self = globalThis
const { generateWord } = require('quill-to-word')
const JSZip = require('jszip')
const mammoth = require('mammoth')
const step = (text) => [{ insert: text }, { insert: '\n', attributes: { list: 'ordered' } }]

async function main() {
  console.log = () => {}
  for (const ops of [[...step('Wash'), ...step('Dry')], [{ insert: 'Do this:\n' }, ...step('Wash'), ...step('Dry'), { insert: 'Then this:\n' }, ...step('Rest'), ...step('Go')]]) {
    const buffer = await generateWord({ ops }, { exportAs: 'buffer' })
    const xml = await (await JSZip.loadAsync(buffer)).file('word/document.xml').async('string')
    console.info([...xml.matchAll(/<w:numId [^>]*>/g)].join(' '))
    console.info((await mammoth.convertToHtml({ buffer })).value)
  }
}
main()
END

for package in quill-to-word mammoth; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node write.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<w:numId w:val="{numbered_-1}"/> <w:numId w:val="{numbered_-1}"/>
<p>Wash</p><p>Dry</p>
<w:numId w:val="3"/> <w:numId w:val="3"/> <w:numId w:val="5"/> <w:numId w:val="5"/>
<p>Do this:</p><ol><li>Wash</li><li>Dry</li></ol><p>Then this:</p><ol><li>Rest</li><li>Go</li></ol>
END
