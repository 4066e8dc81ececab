#!/usr/bin/env bash
# postal-mime leaves the mark of a quotation in the middle of a line that it joins: "Take 5 > 10 drops".
#
# Expected: in a text that flows (format=flowed, RFC 3676) the marks at the beginning of both lines are taken off before
# the lines are joined, and lines that are quoted more deeply are none of theirs.
# Seen with postal-mime 4.0.0 and mailparser 3.14.2 (Node 20): "> Keep at " and "> 5 °C." become "> Keep at > 5 °C.", as
# if it were "more than 5". An answer below a quotation that ends with a blank is joined to it, so that it is the other
# one who says it. mailparser takes off the marks.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error postal-mime@4.0.0 mailparser@3.14.2

cat > read.mjs <<'END'
import PostalMime from 'postal-mime'
import { simpleParser } from 'mailparser'
const texts = ['Keep at \r\n5 °C.', '> Keep at \r\n> 5 °C.', '>> Keep it cool? \r\n> No. \r\nYes.']
for (const text of texts) {
  const mail = `From: ann@example.org\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\n${text}\r\n`
  console.log(JSON.stringify(text))
  console.log('  postal-mime', JSON.stringify((await PostalMime.parse(mail)).text))
  console.log('  mailparser', JSON.stringify((await simpleParser(mail)).text))
}
END

for package in postal-mime mailparser; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Keep at \r\n5 °C."
  postal-mime "Keep at 5 °C.\n"
  mailparser "Keep at 5 °C."
"> Keep at \r\n> 5 °C."
  postal-mime "> Keep at > 5 °C.\n"
  mailparser "> Keep at 5 °C."
">> Keep it cool? \r\n> No. \r\nYes."
  postal-mime ">> Keep it cool? > No. Yes.\n"
  mailparser ">> Keep it cool? \n> No. \nYes."
END
