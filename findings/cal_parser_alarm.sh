#!/usr/bin/env bash
# cal-parser gives an event the description of its alarm.
#
# Expected: what stands in VALARM belongs to the alarm: the DESCRIPTION of the event is another one.
# Seen with cal-parser 1.0.2 (Node 20): it reads the lines of an alarm as lines of the event, so that the last
# DESCRIPTION holds. Calendars write one of their own into each alarm that shows a message.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error cal-parser@1.0.2 ical.js@2.2.1

cat > read.mjs <<'END'
import calParser from 'cal-parser'
import ICAL from 'ical.js'

const event = (alarm) => ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example//EN', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20260305T080000Z',
  'DTSTART:20260305T090000Z', 'DTEND:20260305T093000Z', 'SUMMARY:Check-up', 'DESCRIPTION:Come fasting', ...alarm,
  'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')
const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Reminder', 'TRIGGER:-PT15M', 'END:VALARM']
for (const lines of [[], alarm]) {
  const text = event(lines)
  console.log('cal-parser:', calParser.parseString(text).events[0].description.value)
  console.log('ical.js:   ', new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent').getFirstPropertyValue('description'))
}
END

for package in cal-parser ical.js; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
cal-parser: Come fasting
ical.js:    Come fasting
cal-parser: Reminder
ical.js:    Come fasting
END
