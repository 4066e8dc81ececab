#!/usr/bin/env bash
# to-words says 10005 in Chinese as what Chinese say for 15000, and 105 as what they say for 150.
#
# Expected: 一万零五 and 一百零五: in Chinese a unit has its number before it, and a place that is left out is a zero (零); 万五
# and 百五 without it are short for 15000 and 150.
# Seen with to-words 5.7.0 (Node 20): no zero is written and no 一, with blanks between the characters, in Taiwan's and
# Japanese too, where 一万 is 万. In Russian, Ukrainian and Polish thousands and in German millions have the form of one
# after five or two ("Пять Тысяча", "Zwei Million", "Eins Million"), so that a search for the words as people write
# them finds none.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error to-words@5.7.0

cat > say.mjs <<'END'
import { toWords } from 'to-words'
const numbers = { 'en-US': [10005], 'zh-CN': [105, 150, 1005, 10005, 15000], 'zh-TW': [10005], 'ja-JP': [10000], 'de-DE': [21, 1000000, 2000000], 'ru-RU': [5000], 'uk-UA': [5000], 'pl-PL': [5000], 'fr-FR': [80] }
for (const [localeCode, list] of Object.entries(numbers)) {
  for (const number of list) console.log(`${localeCode} ${number} -> ${toWords(number, { localeCode })}`)
}
END

node -p "'to-words ' + JSON.parse(fs.readFileSync('node_modules/to-words/package.json')).version"
node say.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
en-US 10005 -> Ten Thousand Five
zh-CN 105 -> 百 五
zh-CN 150 -> 百 五十
zh-CN 1005 -> 千 五
zh-CN 10005 -> 万 五
zh-CN 15000 -> 万 五 千
zh-TW 10005 -> 萬 五
ja-JP 10000 -> 万
de-DE 21 -> Einundzwanzig
de-DE 1000000 -> Eins Million
de-DE 2000000 -> Zwei Million
ru-RU 5000 -> Пять Тысяча
uk-UA 5000 -> П'ять Тисяча
pl-PL 5000 -> Pięć Tysiąc
fr-FR 80 -> Quatre-Vingts
END
