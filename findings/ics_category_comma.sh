#!/usr/bin/env bash
# ics writes a category with a comma as two categories.
#
# Expected: "health, care" is written as `health\, care`, as commas of the title and the place are.
# Seen with ics 3.12.0 (Node 20): CATEGORIES has the comma as it is, and ical.js 2.2.1 reads two; title and place are
# right. A duration of days ends with a bare T (P1DT), which the grammar of RFC 5545 does not have.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error ics@3.12.0 ical.js@2.2.1

cat > write.mjs <<'END'
import ICAL from 'ical.js'
import { createEvent } from 'ics'

const { error, value } = createEvent({ uid: '1', start: [2026, 3, 5], duration: { days: 1 }, title: 'Talk, then walk', location: 'Room 3, ward', categories: ['health, care', 'lab'] })
if (error) throw error
console.log(value.split('\r\n').filter((line) => /^(SUMMARY|LOCATION|CATEGORIES|DURATION)/.test(line)).join('\n'))
const event = new ICAL.Component(ICAL.parse(value)).getFirstSubcomponent('vevent')
console.log(JSON.stringify(event.getFirstProperty('categories').getValues()))
END

for package in ics ical.js; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node write.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
SUMMARY:Talk\, then walk
LOCATION:Room 3\, ward
CATEGORIES:health, care,lab
DURATION:P1DT
["health"," care","lab"]
END
