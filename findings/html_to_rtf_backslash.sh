#!/usr/bin/env bash
# html-to-rtf writes a backslash as it is, so that a path on Windows is commands of RTF, and gone.
#
# Expected: a backslash of the text is written as \\ or \'5c, as braces are escaped.
# Seen with html-to-rtf 2.1.0 (Node 20): of "C:\dose\plan.txt" a reader has "C:.txt", here officeparser 8.1.1.
# Braces are escaped, and read as they were.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error html-to-rtf@2.1.0 officeparser@8.1.1

cat > write.js <<'END'
const writer = require('html-to-rtf')
const { OfficeParser } = require('officeparser')

async function main() {
  for (const page of ['<p>Open C:\\dose\\plan.txt {now}</p>', '<p>Open the plan {now}</p>']) {
    const file = writer.convertHtmlToRtf(page)
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
\pard Open C:\dose\plan.txt \'7bnow\'7d\sb70\par}}
Open C:.txt {now}
\pard Open the plan \'7bnow\'7d\sb70\par}}
Open the plan {now}
END
