#!/usr/bin/env bash
# Two readers of calendars and one of contacts end a text at its second colon: "Dose: 5 mg" is "Dose".
#
# Expected: in iCalendar and vCard the first colon of a line ends the name and its parameters, and the rest is the
# value, whatever it holds: a time, an address on the web, a heading within a note.
# Seen with ics-to-json 2.0.2, ical-parser 1.2.0 and vcard 0.1.0 (Node 20): "https://example.org" is "https", and
# nothing says that something is missing. The first takes the summary of an alarm for that of its event; of two numbers
# or addresses of a person the last gives the first one.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error ics-to-json@2.0.2 ical-parser@1.2.0 vcard@0.1.0

cat > read.mjs <<'END'
import icalParser from 'ical-parser'
import icsToJsonModule from 'ics-to-json'
import Card from 'vcard'
const { icsToJson } = icsToJsonModule
const lines = (...parts) => parts.join('\r\n') + '\r\n'
const calendar = (text) => lines('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:example', 'BEGIN:VEVENT', 'UID:1', text, 'END:VEVENT', 'END:VCALENDAR')
for (const text of ['SUMMARY:Dose 5 mg', 'SUMMARY:Dose: 5 mg', 'DESCRIPTION:At 9:30 or 10:30', 'LOCATION:https://example.org', 'SUMMARY:Dose\r\nBEGIN:VALARM\r\nSUMMARY:Alarm\r\nEND:VALARM']) {
  console.log('calendar', JSON.stringify(text), '=> ics-to-json', JSON.stringify(icsToJson(calendar(text))[0]))
  icalParser.convert(calendar(text), (error, { VCALENDAR: [{ VEVENT: [{ UID, VALARM, ...rest }] }] }) => {
    console.log('calendar', JSON.stringify(text), '=> ical-parser', JSON.stringify(rest))
  })
}
for (const text of ['NOTE:Dose 5 mg', 'NOTE:Dose: 5 mg', 'URL:https://example.org', 'TEL:+1\r\nTEL:+2']) {
  new Card().readData(lines('BEGIN:VCARD', 'VERSION:3.0', 'N:Roe;Ann;;;', 'FN:Ann Roe', text, 'END:VCARD'), (error, { N, FN, VERSION, ...rest }) => {
    console.log('contact', JSON.stringify(text), '=>', JSON.stringify(rest))
  })
}
END

for package in ics-to-json ical-parser vcard; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
# Two of them print lines of their own, too.
node read.mjs | grep -E '^(calendar|contact) ' | LC_ALL=C sort > seen.txt
cat seen.txt
diff seen.txt - <<'END'
calendar "DESCRIPTION:At 9:30 or 10:30" => ical-parser {"DESCRIPTION":"At 9"}
calendar "DESCRIPTION:At 9:30 or 10:30" => ics-to-json {"description":"At 9"}
calendar "LOCATION:https://example.org" => ical-parser {"LOCATION":"https"}
calendar "LOCATION:https://example.org" => ics-to-json {"location":"https"}
calendar "SUMMARY:Dose 5 mg" => ical-parser {"SUMMARY":"Dose 5 mg"}
calendar "SUMMARY:Dose 5 mg" => ics-to-json {"summary":"Dose 5 mg"}
calendar "SUMMARY:Dose: 5 mg" => ical-parser {"SUMMARY":"Dose"}
calendar "SUMMARY:Dose: 5 mg" => ics-to-json {"summary":"Dose"}
calendar "SUMMARY:Dose\r\nBEGIN:VALARM\r\nSUMMARY:Alarm\r\nEND:VALARM" => ical-parser {"SUMMARY":"Dose"}
calendar "SUMMARY:Dose\r\nBEGIN:VALARM\r\nSUMMARY:Alarm\r\nEND:VALARM" => ics-to-json {"summary":"Alarm"}
contact "NOTE:Dose 5 mg" => {"NOTE":"Dose 5 mg"}
contact "NOTE:Dose: 5 mg" => {"NOTE":"Dose"}
contact "TEL:+1\r\nTEL:+2" => {"TEL":"+1"}
contact "URL:https://example.org" => {"URL":"https"}
END
