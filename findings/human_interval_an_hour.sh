#!/usr/bin/env bash
# human-interval takes an hour and half an hour for no time at all, and two and a half hours for two.
#
# Expected: an hour is 60 minutes; what is not understood is NaN, as it has it for "2h". It reads numbers in words ("one
# hundred and five minutes").
# Seen with human-interval 2.0.1 and juration 0.1.1 (Node 20): what has no number before the unit counts as 0, so that a
# reminder in an hour is due now, and of 1/2 hour the 1 counts. juration reads "1 h 30" as 60 minutes and 30 seconds,
# and "1,5 h" as a second and five hours. Neither tells an error.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error human-interval@2.0.1 juration@0.1.1

cat > read.mjs <<'END'
import humanInterval from 'human-interval'
import juration from 'juration'
for (const text of ['2h', '1.5 hours', 'one hundred and five minutes', 'an hour', 'half an hour', 'two and a half hours', '1/2 hour', 'a week']) console.log('human-interval:', text, '=', humanInterval(text) / 60000, 'minutes')
for (const text of ['1.5 h', '1 h 30 m', '1 h 30', '1,5 h']) console.log('juration:', text, '=', (juration.parse(text) / 60).toFixed(1), 'minutes')
END

for package in human-interval juration; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
human-interval: 2h = NaN minutes
human-interval: 1.5 hours = 90 minutes
human-interval: one hundred and five minutes = 105 minutes
human-interval: an hour = 0 minutes
human-interval: half an hour = 0 minutes
human-interval: two and a half hours = 120 minutes
human-interval: 1/2 hour = 60 minutes
human-interval: a week = 0 minutes
juration: 1.5 h = 90.0 minutes
juration: 1 h 30 m = 90.0 minutes
juration: 1 h 30 = 60.5 minutes
juration: 1,5 h = 300.0 minutes
END
