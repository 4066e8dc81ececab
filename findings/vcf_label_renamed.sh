#!/usr/bin/env bash
# vcf renames the label of a number or an address, which Apple's Contacts writes, when it writes a card anew.
#
# Expected: names that begin with X- are kept as they are, as the library knows nothing of them.
# Seen with vcf 2.1.2 (Node 20): "X-ABLabel" becomes "X-AB-LABEL" and "X-PhoneticFirstName" "X-PHONETIC-FIRST-NAME",
# as names are taken apart at their capitals. A program that looks for the first finds no label, so that whose
# number it is, is lost.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error vcf@2.1.2

cat > write.js <<'END'
const VCard = require('vcf')
const card = ['BEGIN:VCARD', 'VERSION:3.0', 'N:Roe;Ann;;;', 'FN:Ann Roe', 'item1.TEL:+1 555 0100', 'item1.X-ABLabel:School nurse',
  'X-SOCIALPROFILE:ann', 'X-PhoneticFirstName:Ann', 'END:VCARD', ''].join('\r\n')
console.log(new VCard().parse(card).toString('3.0').replace(/\r/g, ''))
END

node -p "'vcf ' + JSON.parse(fs.readFileSync('node_modules/vcf/package.json')).version"
node write.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
BEGIN:VCARD
VERSION:3.0
N:Roe;Ann;;;
FN:Ann Roe
item1.TEL:+1 555 0100
item1.X-AB-LABEL:School nurse
X-SOCIALPROFILE:ann
X-PHONETIC-FIRST-NAME:Ann
END:VCARD
END
