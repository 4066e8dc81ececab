#!/usr/bin/env bash
# HyperFormula rounds -2.5 to -2 with INT, where spreadsheets have -3, and writes 1234.5 as "1235,##0.0".
#
# Expected: INT rounds down, to -3, and TEXT with "#,##0.0" groups digits, as Excel and, of the other library,
# fast-formula-parser have it.
# Seen with hyperformula 3.5.0 and fast-formula-parser 1.0.19 (Node 20): INT cuts the fraction off; of the format
# the first digits alone are read, and the rest stands in the result as it is. No error is told.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error hyperformula@3.5.0 fast-formula-parser@1.0.19

cat > read.mjs <<'END'
import { HyperFormula } from 'hyperformula'
import FormulaParser from 'fast-formula-parser'
const other = new FormulaParser()
for (const formula of ['INT(2.5)', 'INT(-2.5)', 'TEXT(0.125,"0.00")', 'TEXT(1234.5,"#,##0.0")']) {
  const sheet = HyperFormula.buildFromArray([[`=${formula}`]], { licenseKey: 'gpl-v3' })
  console.log(formula, JSON.stringify(sheet.getCellValue({ sheet: 0, row: 0, col: 0 })), JSON.stringify(other.parse(formula, { row: 1, col: 1 })))
}
END

node -p "'hyperformula ' + JSON.parse(fs.readFileSync('node_modules/hyperformula/package.json')).version"
node -p "'fast-formula-parser ' + JSON.parse(fs.readFileSync('node_modules/fast-formula-parser/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
INT(2.5) 2 2
INT(-2.5) -2 -3
TEXT(0.125,"0.00") "0.13" "0.13"
TEXT(1234.5,"#,##0.0") "1235,##0.0" "1,234.5"
END
