#!/usr/bin/env bash
# japanese-numeral makes 0 of 1.5万 (15000) and of 2,000万 (20 million), and five times ten thousand of it in a sentence.
#
# Expected: digits beside 万 and 億 are read, as its readme says and as it is for 2万5千; a number with a point or a comma,
# as newspapers write it, has its value or is an error, as 3.5 and 1,234 are.
# Seen with @geolonia/japanese-numeral 1.0.2 (Node 20): digits with a point or a comma before such a character count as
# nothing, so that 1億2,000万 is 100 million. findKanjiNumbers finds what stands behind the sign: 5万 of 1.5万 is 50000, and
# 000万 is 0.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @geolonia/japanese-numeral@1.0.2

cat > read.js <<'END'
const { kanji2number, findKanjiNumbers } = require('@geolonia/japanese-numeral')
for (const text of ['2万5千', '1億2千万', '1.5万', '0.5億', '2,000万', '1億2,000万']) console.log(`${text} -> ${kanji2number(text)}`)
for (const text of ['今日は2万5千円です。', '人口は1.5万人です。', '資本金は2,000万円です。'])
  console.log(`${text} -> ${findKanjiNumbers(text).map((found) => `${found} = ${kanji2number(found)}`).join(', ')}`)
END

node -p "'@geolonia/japanese-numeral ' + JSON.parse(fs.readFileSync('node_modules/@geolonia/japanese-numeral/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2万5千 -> 25000
1億2千万 -> 120000000
1.5万 -> 0
0.5億 -> 0
2,000万 -> 0
1億2,000万 -> 100000000
今日は2万5千円です。 -> 2万5千 = 25000
人口は1.5万人です。 -> 5万 = 50000
資本金は2,000万円です。 -> 000万 = 0
END
