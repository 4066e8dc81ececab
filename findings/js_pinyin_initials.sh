#!/usr/bin/env bash
# js-pinyin's initials of a word are not the first letters of its pinyin.
#
# Expected: getCamelChars gives the first letters of what getFullChars spells, as both are given the same word.
# Seen with js-pinyin 0.2.7 (Node 20): a character with several readings is read by two tables. 行 is "Xing" and "H",
# 长 is "Chang" and "Z", so a search by initials misses what one by pinyin finds. 龘 has an initial and no pinyin:
# the character is left out, not kept as others that are unknown.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error js-pinyin@0.2.7

cat > spell.js <<'END'
const pinyin = require('js-pinyin').default || require('js-pinyin')
for (const word of ['银行', '行不行', '长大', '龘', '〇']) {
  console.log(`${word} full: ${pinyin.getFullChars(word)}, initials: ${pinyin.getCamelChars(word)}`)
}
END

node -p "'js-pinyin ' + JSON.parse(fs.readFileSync('node_modules/js-pinyin/package.json')).version"
node spell.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
银行 full: YinXing, initials: YH
行不行 full: XingBuXing, initials: HBH
长大 full: ChangDa, initials: ZD
龘 full: , initials: D
〇 full: 〇, initials: 〇
END
