#!/usr/bin/env bash
# Two libraries lose the minus of a duration: five minutes before is five minutes after.
#
# Expected: -PT5M is minus five minutes, as ISO 8601-2 and iCalendar write an alarm before an event and tinyduration
# reads it, or an error.
# Seen with iso8601-duration 2.1.4, enhanced-ms 5.0.0 and tinyduration 3.4.1 (Node 20): the first takes the sign as a
# part of the form and says nothing of it, so that end() reckons forwards. The second drops it both ways, of "-5m" and
# of a number below zero, and takes the first letter of a word for a unit: "5 mg" is five minutes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error iso8601-duration@2.1.4 enhanced-ms@5.0.0 tinyduration@3.4.1

cat > read.mjs <<'END'
import { createRequire } from 'node:module'
import { end, parse } from 'iso8601-duration'
import tiny from 'tinyduration'
const ms = createRequire(import.meta.url)('enhanced-ms').default
for (const text of ['PT5M', '-PT5M', '-P1D']) {
  console.log(`${text}: iso8601-duration, from noon: ${end(parse(text), new Date('2026-03-05T12:00:00Z')).toISOString()}, tinyduration: ${JSON.stringify(tiny.parse(text))}`)
}
for (const value of ['5m', '-5m', '-5 minutes', -300000, '5 mg', 'Take 5 mg in 2 hours']) console.log(`enhanced-ms: ${JSON.stringify(value)} -> ${ms(value)}`)
END

for name in iso8601-duration enhanced-ms tinyduration; do node -p "'$name ' + JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version"; done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
PT5M: iso8601-duration, from noon: 2026-03-05T12:05:00.000Z, tinyduration: {"minutes":5}
-PT5M: iso8601-duration, from noon: 2026-03-05T12:05:00.000Z, tinyduration: {"minutes":5,"negative":true}
-P1D: iso8601-duration, from noon: 2026-03-06T12:00:00.000Z, tinyduration: {"days":1,"negative":true}
enhanced-ms: "5m" -> 300000
enhanced-ms: "-5m" -> 300000
enhanced-ms: "-5 minutes" -> 300000
enhanced-ms: -300000 -> 5 minutes
enhanced-ms: "5 mg" -> 300000
enhanced-ms: "Take 5 mg in 2 hours" -> 7500000
END
