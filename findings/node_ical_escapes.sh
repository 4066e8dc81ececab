#!/usr/bin/env bash
# node-ical reads a path with backslashes as one with a line break, and a category with a comma as two.
#
# Expected: what ical-generator writes as RFC 5545 has it, `C:\\new` for C:\new and `health\, care` for one category,
# is read as it was given.
# Seen with node-ical 0.26.1 and ical-generator 10.2.0 (Node 20): the path is "C:\", a line break and "ew", and the
# category is "health\" and " care" without its blank; commas of a title are read rightly. ical.js 2.2.1 reads both.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error node-ical@0.26.1 ical-generator@10.2.0 ical.js@2.2.1

cat > read.mjs <<'END'
import ICAL from 'ical.js'
import ical from 'ical-generator'
import nodeIcal from 'node-ical'

const calendar = ical({ name: 'desk' })
const start = new Date(Date.UTC(2026, 2, 5, 9))
calendar.createEvent({ id: '1', start, summary: 'Copy, then check', description: 'C:\\new', categories: [{ name: 'health, care' }] })
const text = calendar.toString()
console.log(text.split('\r\n').filter((line) => /^(SUMMARY|DESCRIPTION|CATEGORIES)/.test(line)).join('\n'))

const show = (name, summary, description, categories) => console.log(name, JSON.stringify([summary, description, categories]))
const event = Object.values(nodeIcal.sync.parseICS(text)).find((part) => part.type === 'VEVENT')
show('node-ical', event.summary, event.description, event.categories)
const other = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
show('ical.js', other.getFirstPropertyValue('summary'), other.getFirstPropertyValue('description'), other.getFirstProperty('categories').getValues())
END

for package in node-ical ical-generator ical.js; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
SUMMARY:Copy\, then check
DESCRIPTION:C:\\new
CATEGORIES:health\, care
node-ical ["Copy, then check","C:\\\new",["health\\","care"]]
ical.js ["Copy, then check","C:\\new",["health, care"]]
END
