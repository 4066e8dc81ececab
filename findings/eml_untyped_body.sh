#!/usr/bin/env bash
# Two readers of mail find no text in a message that has no Content-Type.
#
# Expected: a message without that header is plain text, as RFC 5322 and RFC 2045 have it and as short programs and
# old mailboxes write it.
# Seen with eml-format 0.6.1 and eml-parse-js 1.1.15 (Node 20): `text` is undefined, and the body is an attachment
# without a name. With the header, text is there. mailparser 3.14.2 reads both.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error eml-format@0.6.1 eml-parse-js@1.1.15 mailparser@3.14.2

cat > read.js <<'END'
const { simpleParser } = require('mailparser')
const call = (read, mail) => new Promise((resolve, reject) => read(mail, (error, result) => error ? reject(error) : resolve(result)))
const readers = {
  'eml-format': (mail) => call(require('eml-format').read, mail),
  'eml-parse-js': (mail) => call(require('eml-parse-js').readEml, mail),
  mailparser: simpleParser
}

async function main() {
  console.warn = () => {}
  for (const type of ['', 'Content-Type: text/plain; charset=utf-8\r\n']) {
    const mail = `From: ann@example.org\r\nTo: bob@example.org\r\nSubject: Dose\r\n${type}\r\nTake 5 mg.\r\n`
    for (const [name, read] of Object.entries(readers)) {
      const { text, attachments = [] } = await read(mail)
      console.log(type ? 'with' : 'without', name, JSON.stringify(text?.trim()), `attachments: ${attachments.length}`)
    }
  }
}
main()
END

for package in eml-format eml-parse-js mailparser; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
without eml-format undefined attachments: 1
without eml-parse-js undefined attachments: 1
without mailparser "Take 5 mg." attachments: 0
with eml-format "Take 5 mg." attachments: 0
with eml-parse-js "Take 5 mg." attachments: 0
with mailparser "Take 5 mg." attachments: 0
END
