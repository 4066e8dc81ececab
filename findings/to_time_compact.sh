#!/usr/bin/env bash
# to-time takes an hour and a half, written 1h30m, for one minute.
#
# Expected: 90 minutes, as it reads "1h 30m" and "1 hour 30 minutes", or an error, as it has it for "1 hour and 30
# minutes" and "half an hour".
# Seen with to-time 1.0.2 (Node 20): where no blank stands between the parts, the first number gets the last unit, and
# what is between is passed over: 2h45m is two minutes and 1d12h one hour. A decimal comma is left out, so that 1,5 hours
# are fifteen. No error is told, and the time until a dose or a backup is a fraction of what the note says.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts to-time@1.0.2

cat > read.js <<'END'
const toTime = require('to-time')
for (const text of ['1 hour 30 minutes', '1h 30m', '1h30m', '2h45m', '1d12h', '1 day12 hours', '90m', '1,5 hours', '1.5 hours', '1 hour and 30 minutes', 'half an hour']) {
  let seen
  try {
    seen = `${toTime(text).minutes()} minutes`
  } catch (error) {
    seen = error.message
  }
  console.log(`${text} -> ${seen}`)
}
END

node -p "'to-time ' + JSON.parse(fs.readFileSync('node_modules/to-time/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
1 hour 30 minutes -> 90 minutes
1h 30m -> 90 minutes
1h30m -> 1 minutes
2h45m -> 2 minutes
1d12h -> 60 minutes
1 day12 hours -> Invalid format
90m -> 90 minutes
1,5 hours -> 900 minutes
1.5 hours -> 90 minutes
1 hour and 30 minutes -> Invalid format
half an hour -> Invalid format
END
