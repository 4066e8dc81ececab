#!/usr/bin/env bash
# numeric-quantity reads 1¹⁄₂ as 5.5, and 10⁶ as 106.
#
# Expected: one and a half, as it reads 1½ and "1 ¹⁄₂", and a million, or NaN, as it has it for what it does not know,
# 10^6 and 10⁻³.
# Seen with numeric-quantity 3.3.3 and parse-ingredient 3.0.0, which reads with it (Node 20): raised digits are made
# plain ones, wherever they stand, and so belong to the number before them: eleven halves. A footnote behind a dose
# makes 51 of 5¹. No error is told.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error numeric-quantity@3.3.3 parse-ingredient@3.0.0

cat > read.mjs <<'END'
import { numericQuantity } from 'numeric-quantity'
import { parseIngredient } from 'parse-ingredient'
for (const text of ['1½', '1 ¹⁄₂', '1¹⁄₂', '10⁶', '5²', '10^6', '10⁻³']) console.log(text, numericQuantity(text))
for (const text of ['1¹⁄₂ cups milk', '10⁶ cells', '5¹ g salt']) {
  const { quantity, unitOfMeasure, description } = parseIngredient(text)[0]
  console.log(text, '->', quantity, unitOfMeasure, description)
}
END

for package in numeric-quantity parse-ingredient; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
1½ 1.5
1 ¹⁄₂ 1.5
1¹⁄₂ 5.5
10⁶ 106
5² 52
10^6 NaN
10⁻³ NaN
1¹⁄₂ cups milk -> 5.5 cups milk
10⁶ cells -> 106 null cells
5¹ g salt -> 51 g salt
END
