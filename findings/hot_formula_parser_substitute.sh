#!/usr/bin/env bash
# hot-formula-parser answers TRUE where the second 5 of a text is to be replaced, and 1 for MOD(-7,3).
#
# Expected: SUBSTITUTE("5-10-5","5","7",2) is "5-10-7", MOD(-7,3) is 2, HOUR(0.75) 18, "5%"+0 0.05 and a month after 31
# January is 28 February (46081), as in Excel; ROUND(-2.5,0) is -3.
# Seen with hot-formula-parser 4.0.0 and, beside it, hyperformula 3.5.0 (Node 20): none of them, and no error; "1/2"+0
# is 1.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error hot-formula-parser@4.0.0 hyperformula@3.5.0

cat > read.mjs <<'END'
import { Parser } from 'hot-formula-parser'
import { HyperFormula } from 'hyperformula'
const parser = new Parser()
for (const formula of ['SUBSTITUTE("5-10-5","5","7",2)', 'MOD(-7,3)', 'ROUND(-2.5,0)', 'HOUR(0.75)', '"5%"+0', '"1/2"+0', 'EDATE(46053,1)']) {
  const { result, error } = parser.parse(formula)
  const sheet = HyperFormula.buildFromArray([[`=${formula}`]], { licenseKey: 'gpl-v3' })
  const value = sheet.getCellValue({ sheet: 0, row: 0, col: 0 })
  console.log(formula, JSON.stringify(error ?? result), JSON.stringify(value?.value ?? value))
}
END

node -p "'hot-formula-parser ' + JSON.parse(fs.readFileSync('node_modules/hot-formula-parser/package.json')).version"
node -p "'hyperformula ' + JSON.parse(fs.readFileSync('node_modules/hyperformula/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
SUBSTITUTE("5-10-5","5","7",2) true "5-10-7"
MOD(-7,3) 1 2
ROUND(-2.5,0) -2 -3
HOUR(0.75) 0 18
"5%"+0 5 0.05
"1/2"+0 1 "#VALUE!"
EDATE(46053,1) 46084 46081
END
