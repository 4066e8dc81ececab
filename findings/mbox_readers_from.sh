#!/usr/bin/env bash
# Two readers of mailboxes cut a mail at each line that begins with "From ", and lose the line: "From Monday on: 5 mg".
#
# Expected: a mail begins with "From ", an address and a date (RFC 4155), below an empty line. Mailboxes with a
# Content-Length for each mail, as some servers write them, have such lines of the text as they are.
# Seen with mbox-reader 1.2.0 and mbox-parser 1.0.1 (Node 20): the rest of the text is a mail without sender and
# subject, and the dose is in none of them; no error is told. Where a program has escaped the line (">From"), the first
# takes the sign off, and the second leaves it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error mbox-reader@1.2.0 mbox-parser@1.0.1

cat > read.mjs <<'END'
import { Readable } from 'node:stream'
import { mboxReader } from 'mbox-reader'
import mboxParser from 'mbox-parser'
const mail = (text) => `From ann@example.org Thu Mar  5 09:30:00 2026\nFrom: Ann Roe <ann@example.org>\nSubject: Dose\nContent-Length: ${text.length}\n\n${text}\n`
for (const text of ['It changes.\nFrom Monday on: 5 mg.\nNo milk.\n', 'It changes.\n>From Monday on: 5 mg.\nNo milk.\n']) {
  console.log(JSON.stringify(text))
  for await (const { content } of mboxReader(Readable.from([Buffer.from(mail(text))]))) console.log('  mbox-reader', JSON.stringify(content.toString().replace(/^From:[^]*?\n\n/, '')))
  for (const message of await mboxParser.mboxParser(Readable.from([Buffer.from(mail(text))]))) console.log('  mbox-parser', JSON.stringify(message.subject), JSON.stringify(message.text))
}
END

for package in mbox-reader mbox-parser; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"It changes.\nFrom Monday on: 5 mg.\nNo milk.\n"
  mbox-reader "It changes."
  mbox-reader "No milk."
  mbox-parser "Dose" "It changes.\n"
  mbox-parser undefined undefined
"It changes.\n>From Monday on: 5 mg.\nNo milk.\n"
  mbox-reader "It changes.\nFrom Monday on: 5 mg.\nNo milk."
  mbox-parser "Dose" "It changes.\n>From Monday on: 5 mg.\nNo milk.\n\n"
END
