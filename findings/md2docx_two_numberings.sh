#!/usr/bin/env bash
# @m2d/md2docx gives each paragraph of a numbered list two numberings, and mammoth reads a list of bullets.
#
# Expected: a paragraph of "1. first" names one numbering, as the schema of Word's documents allows no more.
# Seen with @m2d/md2docx 0.0.1 and mammoth 1.13.0 (Node 20): it names that of bullets first and then that of
# numbers. mammoth keeps the first, so that numbered steps become bullets.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @m2d/md2docx@0.0.1 mammoth@1.13.0 jszip@3.10.1

cat > write.mjs <<'END'
import * as m2d from '@m2d/md2docx'
import JSZip from 'jszip'
import mammoth from 'mammoth'

const write = m2d.md2docx || m2d.default
const buffer = await write('1. first\n2. second\n', {}, {}, 'nodebuffer')
const xml = await (await JSZip.loadAsync(buffer)).file('word/document.xml').async('string')
const paragraph = xml.match(/<w:p>(?:(?!<\/w:p>).)*first/)[0]
console.log('numberings:', paragraph.match(/<w:numPr>/g).length)
console.log((await mammoth.convertToHtml({ buffer })).value)
END

for package in @m2d/md2docx mammoth; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node write.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
numberings: 2
<ul><li>first</li><li>second</li></ul>
END
