#!/usr/bin/env bash
# eml-parse-js writes the text of a message to a place that readers of mail pass over.
#
# Expected: the text is a part of the message that it builds (multipart/mixed), between two lines with the boundary.
# Seen with eml-parse-js 1.1.15 and mailparser 3.14.2 (Node 20): the text stands before the first boundary, where
# MIME has notes for programs that do not know MIME, and no boundary ends the message. mailparser has the attachment
# and no text; of a message without attachments nothing is left. A boundary given in the headers mends it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error eml-parse-js@1.1.15 mailparser@3.14.2

cat > write.js <<'END'
const { buildEml } = require('eml-parse-js')
const { simpleParser } = require('mailparser')

async function main() {
  const headers = { From: 'Ann <ann@example.org>', To: 'bob@example.org', Subject: 'Dose' }
  const attachments = [{ name: 'plan.txt', contentType: 'text/plain', data: 'plan' }]
  const boundary = { 'Content-Type': 'multipart/mixed; boundary="here"' }
  for (const parts of [{ headers, attachments }, { headers }, { headers: { ...headers, ...boundary }, attachments }]) {
    const { text, attachments: found } = await simpleParser(buildEml({ text: 'Take 5 mg.', ...parts, headers: { ...parts.headers } }))
    console.log(JSON.stringify(text?.trim()), found.map(({ filename }) => filename).join())
  }
}
main()
END

for package in eml-parse-js mailparser; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node write.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
undefined plan.txt
undefined 
"Take 5 mg." plan.txt
END
