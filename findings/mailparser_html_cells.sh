#!/usr/bin/env bash
# mailparser joins the cells of a table when it makes text of a mail that has only HTML: 1 beside 2 is 12.
#
# Expected: cells are apart by a blank or a tab, as paragraphs are by lines; what is struck out is marked or left out.
# Seen with mailparser 3.14.2 (Node 20): a row is one word, in `text` and in `textAsHtml`, so that 5 in the morning and
# 10 at night are 510. A list keeps its numbers. "5 mg" struck out before "10 mg" is "5 mg 10 mg".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error mailparser@3.14.2

cat > read.mjs <<'END'
import { simpleParser } from 'mailparser'
const bodies = ['<table><tr><td>Morning</td><td>Night</td></tr><tr><td>5</td><td>10</td></tr></table>', '<p>5</p><p>10</p>', '<p><s>5 mg</s> 10 mg</p>', '<ol start="3"><li>Boil</li></ol>']
for (const body of bodies) {
  const { text, textAsHtml } = await simpleParser(`From: ann@example.org\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${body}\r\n`)
  console.log(JSON.stringify(text), textAsHtml ? JSON.stringify(textAsHtml) : '')
}
END

node -p "'mailparser ' + JSON.parse(fs.readFileSync('node_modules/mailparser/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"MorningNight510" "<p>MorningNight510</p>"
"5\n\n10" "<p>5</p><p>10</p>"
"5 mg 10 mg" "<p>5 mg 10 mg</p>"
" 3. Boil" "<p>3. Boil</p>"
END
