#!/usr/bin/env bash
# unitz takes ½ cup for one, and converts what it does not know into 0.
#
# Expected: ½ is 1/2, which it reads, and 1½ one and a half; "5 ft 3 in" has two parts, as it writes such quantities
# itself with a comma; an unknown unit is an error or stays.
# Seen with unitz-ts 1.0.1 (Node 20): the sign is a part of the unit, so that 1½ cups are 1 of "½ cup", and so is all
# that follows the first unit: 5 ft 3 in are 0 cm, 1 lb 3 oz 0 g, and 5 mcg 0 mg. 37 C are cups. In words, one hundred
# and five grams are 1 "hundred and five grams".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error unitz-ts@1.0.1

cat > read.cjs <<'END'
const { Classes, Translations, uz } = require('unitz-ts')
Classes.addDefaults()
Translations.addDefaults()
for (const text of ['1/2 cup', '½ cup', '1½ cups', '2.5 cups', 'two and a half cups', 'one hundred and five grams']) {
  console.log(`${text} -> ${uz(text).ranges.map(({ min }) => `${min.value} "${min.unit}"`).join(', ')}`)
}
for (const [text, unit] of [['5 ft', 'cm'], ['5 ft 3 in', 'cm'], ['1 lb 3 oz', 'g'], ['5 g', 'mg'], ['5 mcg', 'mg'], ['37 C', 'ml']]) {
  console.log(`${text} in ${unit} -> ${uz(text).convert(unit).output()}`)
}
END

node -p "'unitz-ts ' + JSON.parse(fs.readFileSync('node_modules/unitz-ts/package.json')).version"
node read.cjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
1/2 cup -> 0.5 "cup"
½ cup -> 1 "½ cup"
1½ cups -> 1 "½ cups"
2.5 cups -> 2.5 "cups"
two and a half cups -> 2.5 "cups"
one hundred and five grams -> 1 "hundred and five grams"
5 ft in cm -> 152 2/5cm
5 ft 3 in in cm -> 0cm
1 lb 3 oz in g -> 0g
5 g in mg -> 5000mg
5 mcg in mg -> 0mg
37 C in ml -> 8753.761919999999ml
END
