#!/usr/bin/env bash
# html-to-rtf writes a backslash as it is, so that a path on Windows is commands of RTF, and gone.
#
# Expected: a backslash of the text is written as \\ or \'5c, as braces are escaped.
# Seen with html-to-rtf 2.1.0 (Node 20): of "C:\dose\plan.txt" a reader has "C:.txt". Chinese stands in the file as
# the bytes of UTF-8, which RTF does not know. What reads it here is officeparser 8.1.1.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error html-to-rtf@2.1.0 officeparser@8.1.1

cat > write.js <<'END'
const { convertHtmlToRtf } = require('html-to-rtf')
const { OfficeParser } = require('officeparser')

async function main() {
  for (const page of ['<p>Open C:\\dose\\plan.txt {now}</p>', '<p>中文</p>']) {
    const file = convertHtmlToRtf(page)
    console.log(/\\pard .*/.exec(file)[0])
    console.log((await (await OfficeParser.parseOffice(Buffer.from(file), { fileType: 'rtf' })).to('text')).value.trim())
  }
}
main()
END

for package in html-to-rtf officeparser; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node write.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
END
