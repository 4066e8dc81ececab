#!/usr/bin/env bash
# vcard-parser takes the blank out where a line of a card is folded: "Take 5" and "10 drops" become "Take 510 drops".
#
# Expected: a long line is folded by a line break and one blank, which is taken out when the card is read (RFC 2426); a
# second blank belongs to the text. What the library writes it reads again.
# Seen with vcard-parser 1.0.0 (Node 20): all blanks at the beginning and the end of the folded part go. It folds at 75
# characters itself, before or behind a blank as it happens, and reads the note that it wrote without that blank. vcf
# 2.1.2 keeps it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error vcard-parser@1.0.0 vcf@2.1.2

cat > read.mjs <<'END'
import cards from 'vcard-parser'
import VCard from 'vcf'
const card = 'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann Roe\r\nNOTE:Take 5\r\n  10 drops\r\nEND:VCARD\r\n'
console.log('vcard-parser:', cards.parse(card).note[0].value)
console.log('vcf:', new VCard().parse(card).get('note').valueOf())
for (const beginning of ['Not with any of the other tablets that you have. At most', 'Not with any of the other tablets that you have. At noon take 5', 'Not with any of the other tablets that you have. At noon take    5']) {
  const note = `${beginning.padEnd(70, '.')} 10 drops`
  const written = cards.generate({ fn: [{ value: 'Ann Roe' }], note: [{ value: note }] })
  console.log(JSON.stringify(written.split('\r\n').slice(2, 4)), '->', cards.parse(written).note[0].value.slice(-14))
}
END

node -p "'vcard-parser ' + JSON.parse(fs.readFileSync('node_modules/vcard-parser/package.json')).version"
node -p "'vcf ' + JSON.parse(fs.readFileSync('node_modules/vcf/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
vcard-parser: Take 510 drops
vcf: Take 5 10 drops
["NOTE:Not with any of the other tablets that you have. At most..............","  10 drops"] -> ......10 drops
["NOTE:Not with any of the other tablets that you have. At noon take 5.......","  10 drops"] -> ......10 drops
["NOTE:Not with any of the other tablets that you have. At noon take    5....","  10 drops"] ->  5....10 drops
END
