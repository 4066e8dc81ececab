#!/usr/bin/env bash
# recipe-ingredient-parser-v3 reads "1 14 oz can of beans" as one ounce, and "2 to 3 cups" as two.
#
# Expected: 14 oz, or one can of 14 oz; a range has minQty and maxQty, which every result has.
# Seen with recipe-ingredient-parser-v3 1.5.0 (Node 20): the unit is taken away from the number before it, which goes to
# the name; so do the second number of a range, and the whole number of "1 ¼ tsp" once more. "500ml water" is 0 of a
# unit that is Italian, q.b. (as much as needed), though the language is English.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error recipe-ingredient-parser-v3@1.5.0

cat > read.mjs <<'END'
import { parse } from 'recipe-ingredient-parser-v3'
for (const text of ['14 oz beans', '1 14 oz can of beans', '2-3 cups water', '2 - 3 cups water', '2 to 3 cups water', '5-10 mg iron', '1 ¼ tsp salt', '500 ml water', '500ml water']) {
  const { quantity, minQty, maxQty, unit, ingredient } = parse(text, 'eng')
  console.log(`${text}: ${quantity} (${minQty} to ${maxQty}) ${unit}, "${ingredient}"`)
}
END

node -p "'recipe-ingredient-parser-v3 ' + JSON.parse(fs.readFileSync('node_modules/recipe-ingredient-parser-v3/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
14 oz beans: 14 (14 to 14) ounce, "beans"
1 14 oz can of beans: 1 (1 to 1) ounce, "14 can of beans"
2-3 cups water: 2 (2 to 2) cup, "-3  water"
2 - 3 cups water: 2 (2 to 2) cup, "- 3  water"
2 to 3 cups water: 2 (2 to 2) cup, "to 3  water"
5-10 mg iron: 5 (5 to 5) milligram, "-10 iron"
1 ¼ tsp salt: 1.25 (1.25 to 1.25) teaspoon, "1   salt"
500 ml water: 500 (500 to 500) milliliter, "water"
500ml water: 0 (0 to 0) q.b., "500ml water"
END
