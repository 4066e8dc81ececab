#!/usr/bin/env bash
# read-gedcom makes the year 44 the year 1944, and 44 B.C. 45 B.C.
#
# Expected: a year of a family tree is the year that it says, as 1700 is. JavaScript counts with a year 0, so that 44
# B.C. is the year -43.
# Seen with read-gedcom 0.3.2 (Node 20): parseDate has the year, and toJsDate moves those below 100 by 1900 years, and
# those before Christ by one. A double year, 11 FEB 1731/32, which GEDCOM has for a day in the months in which the year
# had begun for some only, has no date. Days of the Julian calendar are reckoned rightly.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error read-gedcom@0.3.2

cat > read.mjs <<'END'
import { parseDate, toJsDate } from 'read-gedcom'
for (const text of ['5 MAR 1700', '@#DJULIAN@ 25 DEC 1700', '5 MAR 44', '44 B.C.', '1 B.C.', '11 FEB 1731/32']) {
  const { date } = parseDate(text)
  console.log(text, JSON.stringify(date.year), '->', toJsDate(date)?.toISOString().replace('T00:00:00.000Z', '') ?? 'none')
}
END

node -p "'read-gedcom ' + JSON.parse(fs.readFileSync('node_modules/read-gedcom/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
5 MAR 1700 {"isBce":false,"isDual":false,"value":1700} -> 1700-03-05
@#DJULIAN@ 25 DEC 1700 {"isBce":false,"isDual":false,"value":1700} -> 1701-01-05
5 MAR 44 {"isBce":false,"isDual":false,"value":44} -> 1944-03-05
44 B.C. {"isBce":true,"isDual":false,"value":44} -> -000044-01-01
1 B.C. {"isBce":true,"isDual":false,"value":1} -> -000001-01-01
11 FEB 1731/32 {"isBce":false,"isDual":true,"value":1731,"valueDual":32} -> none
END
