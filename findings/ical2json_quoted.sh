#!/usr/bin/env bash
# ical2json moves the end of an address into the text of an event, and writes a name in quotation marks without its end.
#
# Expected: what stands in quotation marks is one value of a parameter, whatever colons and semicolons it has, which is
# why RFC 5545 has the marks: ALTREP="cid:note":Take 5 mg has the text "Take 5 mg".
# Seen with ical2json 5.0.0 (Node 20): the text begins behind the first colon, within the marks, and a parameter ends at
# the first semicolon. A calendar that is converted to JSON and back has a name that is not closed, so that other
# readers, here ical.js 2.2.1, refuse the line or the file.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error ical2json@5.0.0 ical.js@2.2.1

cat > convert.mjs <<'END'
import ICAL from 'ical.js'
import { createRequire } from 'node:module'
const { convert, revert } = createRequire(import.meta.url)('ical2json')
const calendar = (line) => ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', line, 'END:VEVENT', 'END:VCALENDAR'].join('\r\n')
const ical = (text) => {
  try {
    const property = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent').getAllProperties()[0]
    return JSON.stringify([property.getFirstValue(), property.getFirstParameter('cn') ?? property.getFirstParameter('altrep')])
  } catch (error) {
    return error.message
  }
}
for (const line of ['ATTENDEE;CN=Ann Roe:mailto:ann@example.org', 'ATTENDEE;CN="Roe; Ann":mailto:ann@example.org', 'DESCRIPTION;ALTREP="cid:note":Take 5 mg', 'DESCRIPTION;ALTREP="https://example.org/a":At 9:30']) {
  const json = convert(calendar(line))
  const written = revert(json)
  console.log(`${line}\n  ical2json: ${JSON.stringify(json.VCALENDAR[0].VEVENT[0])}\n  written:   ${written.split('\n')[2]}\n  ical.js:   ${ical(calendar(line))}\n  again:     ${ical(written)}`)
}
END

for package in ical2json ical.js; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
ATTENDEE;CN=Ann Roe:mailto:ann@example.org
  ical2json: {"ATTENDEE":{"_":"mailto:ann@example.org","CN":"Ann Roe"}}
  written:   ATTENDEE;CN=Ann Roe:mailto:ann@example.org
  ical.js:   ["mailto:ann@example.org","Ann Roe"]
  again:     ["mailto:ann@example.org","Ann Roe"]
ATTENDEE;CN="Roe; Ann":mailto:ann@example.org
  ical2json: {"ATTENDEE":{"_":"mailto:ann@example.org","CN":"\"Roe"}}
  written:   ATTENDEE;CN="Roe:mailto:ann@example.org
  ical.js:   ["mailto:ann@example.org","Roe; Ann"]
  again:     invalid line (no matching double quote) ";CN="Roe:mailto:ann@example.org"
DESCRIPTION;ALTREP="cid:note":Take 5 mg
  ical2json: {"DESCRIPTION":{"_":"note\":Take 5 mg","ALTREP":"\"cid"}}
  written:   DESCRIPTION;ALTREP="cid:note":Take 5 mg
  ical.js:   ["Take 5 mg","cid:note"]
  again:     ["Take 5 mg","cid:note"]
DESCRIPTION;ALTREP="https://example.org/a":At 9:30
  ical2json: {"DESCRIPTION":{"_":"//example.org/a\":At 9:30","ALTREP":"\"https"}}
  written:   DESCRIPTION;ALTREP="https://example.org/a":At 9:30
  ical.js:   ["At 9:30","https://example.org/a"]
  again:     ["At 9:30","https://example.org/a"]
END
