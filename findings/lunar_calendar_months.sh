#!/usr/bin/env bash
# lunar-calendar has the Mid-Autumn Festival of 2007 a day late, and chinese-lunar the birthdays of whole months.
#
# Expected: the 15th of the eighth month of 2007 was 25 September, as ICU and tyme4ts 1.5.2 reckon it and as it was kept.
# Seen with lunar-calendar 0.1.4 and chinese-lunar 0.1.4 (Node 20), compared day by day with tyme4ts from 1901 to 2072:
# both have a table of the lengths of months, without a word of doubt. In that of lunar-calendar six months
# of each of the years 1926, 1935, 1945 and 2007 begin a day late; in that of chinese-lunar a month or two of 1933, 1954,
# 1956, 1978 and 1996, and all of autumn 2033, in which it has a leap month too early. A birthday by the old
# calendar, as families keep it, is then that of the day before or after.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts lunar-calendar@0.1.4 chinese-lunar@0.1.4

cat > read.js <<'END'
const { solarToLunar } = require('lunar-calendar')
const lunar = require('chinese-lunar')
const icu = new Intl.DateTimeFormat('en-u-ca-chinese', { month: 'numeric', day: 'numeric', timeZone: 'UTC' })

const read = (year, month, day) => {
  const first = solarToLunar(year, month, day)
  const second = lunar.solarToLunar(new Date(year, month - 1, day))
  return [
    `ICU ${icu.format(new Date(Date.UTC(year, month - 1, day)))}`,
    `lunar-calendar ${first.lunarMonthName}${first.lunarDayName} ${first.lunarFestival || ''}`,
    `chinese-lunar ${second.month}/${second.day}`
  ].join(' | ')
}
for (const day of [[2007, 7, 14], [2007, 9, 25], [2007, 9, 26], [1935, 9, 12], [1945, 9, 20], [1996, 9, 27], [1978, 9, 17], [1954, 12, 1], [2026, 9, 25]])
  console.log(`${day.join('-')}: ${read(...day)}`)
END

for package in lunar-calendar chinese-lunar; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2007-7-14: ICU 6/1 | lunar-calendar 五月三十  | chinese-lunar 6/1
2007-9-25: ICU 8/15 | lunar-calendar 八月十四  | chinese-lunar 8/15
2007-9-26: ICU 8/16 | lunar-calendar 八月十五 中秋节 | chinese-lunar 8/16
1935-9-12: ICU 8/15 | lunar-calendar 八月十四  | chinese-lunar 8/15
1945-9-20: ICU 8/15 | lunar-calendar 八月十四  | chinese-lunar 8/15
1996-9-27: ICU 8/15 | lunar-calendar 八月十五 中秋节 | chinese-lunar 8/16
1978-9-17: ICU 8/15 | lunar-calendar 八月十五 中秋节 | chinese-lunar 8/16
1954-12-1: ICU 11/7 | lunar-calendar 十一月初七  | chinese-lunar 11/6
2026-9-25: ICU 8/15 | lunar-calendar 八月十五 中秋节 | chinese-lunar 8/15
END
