#!/usr/bin/env bash
# recipe-ingredient-parser-v3 takes the "t" of "to" for a teaspoon: 1 to 2 tablespoons are one teaspoon.
#
# Expected: the result has a smallest and a largest quantity (minQty, maxQty), which its readme adds up: 1 and 2, and
# the unit behind them.
# Seen with recipe-ingredient-parser-v3 1.5.0 (Node 20): of a range, with "to" or a dash, the first number is both, and
# the second is a word of the ingredient. A unit is looked for in the whole line, by its first letters too: of "1 cup
# plus 2 tablespoons" it is tablespoons, and 2 cl, centilitres, are 2 cups.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error recipe-ingredient-parser-v3@1.5.0

cat > read.mjs <<'END'
import { parse } from 'recipe-ingredient-parser-v3'
for (const text of ['2 tbsp sugar', '1 to 2 tbsp sugar', '10-20 ml oil', '250 to 300 g flour', '1 cup plus 2 tablespoons milk', '2 cl rum', '2 g of l-carnitine']) {
  const { minQty, maxQty, unit, ingredient } = parse(text, 'eng')
  console.log(`${text}: ${minQty} to ${maxQty} ${unit} of "${ingredient}"`)
}
END

node -p "'recipe-ingredient-parser-v3 ' + JSON.parse(fs.readFileSync('node_modules/recipe-ingredient-parser-v3/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2 tbsp sugar: 2 to 2 tablespoon of "sugar"
1 to 2 tbsp sugar: 1 to 1 teaspoon of "2 tbsp sugar"
10-20 ml oil: 10 to 10 milliliter of "-20 oil"
250 to 300 g flour: 250 to 250 gram of "to 300 flour"
1 cup plus 2 tablespoons milk: 1 to 1 tablespoon of "cup plus 2  milk"
2 cl rum: 2 to 2 cup of "rum"
2 g of l-carnitine: 2 to 2 liter of "g of carnitine"
END
