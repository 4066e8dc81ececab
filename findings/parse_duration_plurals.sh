#!/usr/bin/env bash
# parse-duration's German and Russian know one hour, and nothing of two; its Chinese knows years, and no months.
#
# Expected: a locale knows the plurals of its units, as English, French and Portuguese do and the readme shows in Spanish.
# Seen with parse-duration 2.1.9 (Node 20): only an "s" at the end is taken off, so that in German and Russian no unit has
# a plural, and Spanish has none of the month (meses). 个月 (months, as they are counted) is unknown in Chinese, where 月
# is known; with other units beside it, it is left out without a word, and "1 Woche 3 Tage" is a week.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error parse-duration@2.1.9

cat > read.mjs <<'END'
import parse from 'parse-duration'
const texts = {
  fr: ['1 heure', '2 heures', '3 mois'], es: ['2 horas', '1 mes', '2 meses'], de: ['1 Stunde', '2 Stunden', '90 Minuten', '1 Woche 3 Tage'],
  ru: ['1 час', '2 часа', '5 часов', '10 минут'], zh: ['2小时', '3年', '3月', '3个月', '1年3个月'],
}
for (const [language, all] of Object.entries(texts)) {
  parse.unit = (await import(`parse-duration/locale/${language}.js`)).default
  const day = Object.keys(parse.unit).find((name) => parse.unit[name] === 24 * 60 * 60 * 1000) ?? 'd'
  console.log(language, all.map((text) => `${text}: ${parse(text, day)}`).join(', '))
}
END

node -p "'parse-duration ' + JSON.parse(fs.readFileSync('node_modules/parse-duration/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
fr 1 heure: 0.041666666666666664, 2 heures: 0.08333333333333333, 3 mois: 91.3125
es 2 horas: 0.08333333333333333, 1 mes: 30.4375, 2 meses: null
de 1 Stunde: 0.041666666666666664, 2 Stunden: null, 90 Minuten: null, 1 Woche 3 Tage: 7
ru 1 час: 0.041666666666666664, 2 часа: null, 5 часов: null, 10 минут: null
zh 2小时: 0.08333333333333333, 3年: 1095.75, 3月: 91.3125, 3个月: null, 1年3个月: 365.25
END
