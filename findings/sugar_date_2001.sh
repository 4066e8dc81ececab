#!/usr/bin/env bash
# sugar-date takes Thu 5 March for a day of 2001, and a quarter past five for a day in May.
#
# Expected: the fifth of March of this year, as "5 March" and "March 5" are, and a time of this day, or no date, as it
# has it for 2026-W10-4.
# Seen with sugar-date 2.0.6 (Node 20): what it has no form of its own for it gives to the Date of JavaScript, which
# knows no year there and has 2001. So have "quarter past 5" and "room 7", which is in July. The day of a year,
# 2026-064, is a day in June.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error sugar-date@2.0.6

cat > read.mjs <<'END'
import Sugar from 'sugar-date'
const now = new Date().getFullYear()
for (const text of ['5 March', 'March 5', 'Thu 5 March', 'quarter past 5', 'room 7', '2026-064', '2026-W10-4']) {
  const date = Sugar.Date.create(text)
  const year = date.getFullYear() === now ? 'this year' : date.getFullYear()
  console.log(text, '->', isNaN(date) ? 'invalid' : `${date.toDateString().slice(4, 10)} ${year}`)
}
END

node -p "'sugar-date ' + JSON.parse(fs.readFileSync('node_modules/sugar-date/package.json')).version"
TZ=UTC node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
5 March -> Mar 05 this year
March 5 -> Mar 05 this year
Thu 5 March -> Mar 05 2001
quarter past 5 -> May 01 2001
room 7 -> Jul 01 2001
2026-064 -> Jun 04 this year
2026-W10-4 -> invalid
END
