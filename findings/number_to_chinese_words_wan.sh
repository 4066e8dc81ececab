#!/usr/bin/env bash
# number-to-chinese-words says 100,050,000 in Chinese as 100,000,000: the 五萬 at its end is gone.
#
# Expected: 一億零五萬, as it has 一億二千三百四十五萬 in a number without zeros and 一萬零五 for 10005.
# Seen with number-to-chinese-words 1.0.20 (Node 20): one to nine times ten thousand (萬) behind 億 is left out, with what
# it stands for, so that 500,060,007 is said as 500,000,007; ten and more times ten thousand are there. No error is told,
# for the number nor for the ordinal of it, and the amount in words no longer fits the one in figures.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts number-to-chinese-words@1.0.20

cat > read.js <<'END'
const { toWords, toWordsOrdinal } = require('number-to-chinese-words')
for (const number of [10005, 12345, 123456789, 100010000, 100050000, 500060007, 1000500000, 100000050000]) console.log(`${number} -> ${toWords(number)}, ${toWordsOrdinal(number)}`)
END

node -p "'number-to-chinese-words ' + JSON.parse(fs.readFileSync('node_modules/number-to-chinese-words/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
10005 -> 一萬零五, 第一萬零五
12345 -> 一萬二千三百四十五, 第一萬二千三百四十五
123456789 -> 一億二千三百四十五萬六千七百八十九, 第一億二千三百四十五萬六千七百八十九
100010000 -> 一億, 第一億
100050000 -> 一億, 第一億
500060007 -> 五億零七, 第五億零七
1000500000 -> 十億零五十萬, 第十億零五十萬
100000050000 -> 一千億, 第一千億
END
