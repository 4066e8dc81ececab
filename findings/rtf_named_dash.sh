#!/usr/bin/env bash
# Two readers of RTF leave out a dash that is written by its name: 5–10 mg becomes 510 mg.
#
# Expected: \endash, \emdash and \bullet are characters, as \lquote is and as the same dash is as \'96.
# Seen with officeparser 8.1.1 and rtf2text 1.0.1 (Node 20): nothing stands in their place. officeparser also reads
# \~, a blank that does not break, as a tilde.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error officeparser@8.1.1 rtf2text@1.0.1

cat > read.js <<'END'
const { OfficeParser } = require('officeparser')
const { string: readText } = require('rtf2text')

async function main() {
  for (const text of ["Take 5\\'9610 mg", 'Take 5\\endash 10 mg', 'Tea\\emdash 2 cups', 'Take 5\\~mg']) {
    const file = `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}}\\f0 ${text}.\\par}`
    const parsed = await OfficeParser.parseOffice(Buffer.from(file), { fileType: 'rtf' })
    console.log('officeparser', (await parsed.to('text')).value.trim())
    console.log('rtf2text    ', (await new Promise((resolve, reject) => readText(file, (error, read) => error ? reject(error) : resolve(read)))).trim())
  }
}
main()
END

for package in officeparser rtf2text; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
officeparser Take 5–10 mg.
rtf2text     Take 5–10 mg.
officeparser Take 510 mg.
rtf2text     Take 510 mg.
officeparser Tea2 cups.
rtf2text     Tea2 cups.
officeparser Take 5~mg.
rtf2text     Take 5 mg.
END
