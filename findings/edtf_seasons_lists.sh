#!/usr/bin/env bash
# edtf takes spring for January to March, and ends a list of years with the first year of its range.
#
# Expected: the Extended Date/Time Format does not say which months spring has, and has a code of its own (33) for the
# first quarter of a year. {1667,1668..1672} has the years from 1667 to 1672.
# Seen with edtf 4.11.1 (Node 20): 2001-21, spring, does not cover 15 April, and 2001-25, spring of the northern
# hemisphere, and 2001-33 are the same months. The maximum of the list is the end of 1668, so it does not cover 1670,
# which it has when it is gone through. 156X, the 1560s, is shown as XXXX.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error edtf@4.11.1

cat > read.mjs <<'END'
import edtf from 'edtf'
const day = time => new Date(time).toISOString().slice(0, 10)
for (const text of ['2001-21', '2001-25', '2001-33', '2001-24', '{1667,1668..1672}', '{1667,1672}']) {
  const date = edtf(text)
  console.log(text, date.type, day(date.min), day(date.max))
}
console.log('15 April in spring:', edtf('2001-21').covers(edtf('2001-04-15')))
const years = edtf('{1667,1668..1672}')
console.log('1670 in the list:', years.covers(edtf('1670')), [...years].map(String).join(' '))
console.log('156X:', edtf('156X').format('en'), day(edtf('156X').min), day(edtf('156X').max))
END

node -p "'edtf ' + JSON.parse(fs.readFileSync('node_modules/edtf/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2001-21 Season 2001-01-01 2001-03-31
2001-25 Season 2001-01-01 2001-03-31
2001-33 Season 2001-01-01 2001-03-31
2001-24 Season 2001-10-01 2001-12-31
{1667,1668..1672} List 1667-01-01 1668-12-31
{1667,1672} List 1667-01-01 1672-12-31
15 April in spring: false
1670 in the list: false 1667 1668 1669 1670 1671 1672
156X: XXXX 1560-01-01 1569-12-31
END
