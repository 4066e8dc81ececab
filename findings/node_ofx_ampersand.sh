#!/usr/bin/env bash
# node-ofx-parser makes "Tea &amp; Milk" of a bank statement "Tea &amp;amp;amp; Milk".
#
# Expected: the payee is "Tea & Milk": OFX writes "&" as &amp;, and ofx-js 1.1.1 reads it so.
# Seen with node-ofx-parser 0.5.1 (Node 20): each "&" is escaped once more on the way to XML and once more in what is read,
# and &lt; is &amp;amp;lt;. What it writes of that grows with each round, as it takes no escape back.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error node-ofx-parser@0.5.1 ofx-js@1.1.1

cat > read.mjs <<'END'
import { parse, serialize } from 'node-ofx-parser'
import { parse as parseOther } from 'ofx-js'
const payee = ({ OFX }) => OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST.STMTTRN.NAME
for (const name of ['Tea', 'Tea &amp; Milk', 'Tea &lt; 5']) {
  const text = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX>
<BANKMSGSRSV1>
<STMTTRNRS>
<STMTRS>
<BANKTRANLIST>
<STMTTRN>
<TRNTYPE>DEBIT
<DTPOSTED>20260306
<TRNAMT>-5.00
<FITID>1
<NAME>${name}
</STMTTRN>
</BANKTRANLIST>
</STMTRS>
</STMTTRNRS>
</BANKMSGSRSV1>
</OFX>
`
  const { header, OFX } = parse(text)
  const rounds = [payee({ OFX }), payee(parse(serialize(header, { ...OFX })))]
  console.log(`${name}: node-ofx-parser ${rounds.join(', again ')}; ofx-js ${payee(await parseOther(text))}`)
}
END

for package in node-ofx-parser ofx-js; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Tea: node-ofx-parser Tea, again Tea; ofx-js Tea
Tea &amp; Milk: node-ofx-parser Tea &amp;amp;amp; Milk, again Tea &amp;amp;amp;amp;amp; Milk; ofx-js Tea & Milk
Tea &lt; 5: node-ofx-parser Tea &amp;amp;lt; 5, again Tea &amp;amp;amp;amp;lt; 5; ofx-js Tea < 5
END
