#!/usr/bin/env bash
# ics-js joins the lines of a description: a line break is written as one that only folds a long line.
#
# Expected: a line break in a text is written as `\n`, and read as one.
# Seen with ics-js 0.10.2 (Node 20): it is written as a line break and a blank, which a reader removes, so that
# "Take 5 mg" and "10 drops" become "Take 5 mg10 drops". ical.js 2.2.1 reads it so.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error ics-js@0.10.2 ical.js@2.2.1

cat > write.mjs <<'END'
import ICAL from 'ical.js'
import ICS from 'ics-js'

const { VCALENDAR, VEVENT } = ICS.default || ICS
const calendar = new VCALENDAR()
calendar.addProp('VERSION', 2)
calendar.addProp('PRODID', 'desk')
const event = new VEVENT()
event.addProp('UID', '1')
event.addProp('DTSTAMP', new Date(Date.UTC(2026, 2, 5, 9)))
event.addProp('DTSTART', new Date(Date.UTC(2026, 2, 5, 9)))
event.addProp('DESCRIPTION', 'Take 5 mg\n10 drops')
calendar.addComponent(event)
const text = calendar.toString()
console.log(JSON.stringify(text.match(/DESCRIPTION:[^]*?(?=\r?\nEND)/)[0]))
console.log(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent').getFirstPropertyValue('description'))
END

for package in ics-js ical.js; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node write.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"DESCRIPTION:Take 5 mg\r\n 10 drops"
Take 5 mg10 drops
END
