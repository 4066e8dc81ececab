#!/usr/bin/env bash
# any-date-parser reads a part of a date: 13/03/2026 is 3 March, and the day after tomorrow is tomorrow.
#
# Expected: what does not fit as a whole is invalid, as it has it for "last Friday" and 2026-064.
# Seen with any-date-parser 2.2.4 (Node 20), for American English: where the month cannot be 13 its first digit is
# passed over, and so is the first of 26-3-5, which becomes June. 2026-W10-4, a Thursday in March, is 4 October. An
# offset behind minutes without seconds counts for nothing, and three months from now are now.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error any-date-parser@2.2.4

cat > read.mjs <<'END'
import parser from 'any-date-parser'
const day = (text) => {
  const date = parser.fromString(text, 'en-US')
  return date.invalid ? 'invalid' : date.toISOString().slice(0, 16)
}
for (const text of ['03/13/2026', '13/03/2026', '26-3-5', '2026-W10-4', '2026-064', 'last Friday', '2026-03-05T09:30:00+05:30', '2026-03-05T09:30+05:30']) console.log(text, '->', day(text))
for (const [text, same] of [['the day after tomorrow', 'tomorrow'], ['3 months from now', 'now'], ['3 days before yesterday', 'yesterday']]) console.log(text, 'is', same, day(text).slice(0, 10) === day(same).slice(0, 10))
END

node -p "'any-date-parser ' + JSON.parse(fs.readFileSync('node_modules/any-date-parser/package.json')).version"
TZ=UTC node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
03/13/2026 -> 2026-03-13T00:00
13/03/2026 -> 2026-03-03T00:00
26-3-5 -> 2026-06-03T00:00
2026-W10-4 -> 2026-10-04T00:00
2026-064 -> invalid
last Friday -> invalid
2026-03-05T09:30:00+05:30 -> 2026-03-05T04:00
2026-03-05T09:30+05:30 -> 2026-03-05T09:30
the day after tomorrow is tomorrow true
3 months from now is now true
3 days before yesterday is yesterday true
END
