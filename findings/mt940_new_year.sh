#!/usr/bin/env bash
# Two libraries for bank statements book a transfer of New Year's Eve on 2 January of the year that ends.
#
# Expected: in :61:2512310102 the year belongs to the value date, 31 December 2025; the entry date has none, and is the
# one near it, 2 January 2026. A reversed debit (RD) comes in.
# Seen with mt940-js 1.0.0 and mt940js 1.3.5 (Node 20): both put the year of the value date before the entry date, so that
# it is 363 days early, or as many late for a value date after an entry. In mt940-js a reversed debit is a debit, and a
# reversed credit a credit.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error mt940-js@1.0.0 mt940js@1.3.5 tslib@2.8.1

cat > read.js <<'END'
const { read } = require('mt940-js')
const { Parser } = require('mt940js')
async function main() {
  for (const [line, balance] of [['2512310102C10,00NTRFX', '1010,00'], ['2601021231C10,00NTRFX', '1010,00'], ['260105RD10,00NTRFX', '1010,00'], ['260105RC10,00NTRFX', '990,00']]) {
    const text = `:20:A\r\n:25:1/2\r\n:28C:1/1\r\n:60F:C251230EUR1000,00\r\n:61:${line}\r\n:86:Tea\r\n:62F:C260106EUR${balance}\r\n-\r\n`
    const [first] = (await read(Buffer.from(text)))[0].transactions
    const [second] = new Parser().parse(text)[0].transactions
    console.log(`${line}: mt940-js ${first.valueDate} ${first.entryDate} ${first.isCredit ? 'credit' : 'debit'}, mt940js ${[second.date, second.entryDate].map((date) => date && date.toISOString().slice(0, 10)).join(' ')} ${second.amount}`)
  }
}
main()
END

for package in mt940-js mt940js; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
TZ=UTC node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2512310102C10,00NTRFX: mt940-js 2025-12-31 2025-01-02 credit, mt940js 2025-12-31 2025-01-02 10
2601021231C10,00NTRFX: mt940-js 2026-01-02 2026-12-31 credit, mt940js 2026-01-02 2026-12-31 10
260105RD10,00NTRFX: mt940-js 2026-01-05  debit, mt940js 2026-01-05  10
260105RC10,00NTRFX: mt940-js 2026-01-05  credit, mt940js 2026-01-05  -10
END
