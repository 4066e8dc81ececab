#!/usr/bin/env bash
# local-crontab moves the hour of a weekly reminder to UTC and leaves the day: Monday to Friday in Tokyo becomes Tuesday
# to Saturday.
#
# Expected: 8:00 in Tokyo is 23:00 of the day before in UTC, so that Monday to Friday is 0-4 (Sunday to Thursday), as
# crontzconvert has it; the first of a month in Shanghai, 1:00, is the last day (L) of the one before.
# Seen with local-crontab 0.1.8 and crontzconvert 1.1.1 (Node 20), zones without summer time: local-crontab keeps days of
# the week and of the month whatever the hour, so that a job comes a day late. crontzconvert moves the day of every hour
# where one of them crosses midnight: of Mondays at 1:00 and 20:00, the evening becomes Sunday's. Where a zone is half
# an hour off, both make 3:15 and 3:45 of 9:15 and 9:45 in India, which is 8:45 and 9:15 there. Neither tells of it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts local-crontab@0.1.8 crontzconvert@1.1.1

cat > read.js <<'END'
const { localCrontabToUtcCrontabs } = require('local-crontab')
const { convert } = require('crontzconvert')
for (const [words, line, zone] of [
  ['Monday to Friday, 8:00 in Tokyo', '0 8 * * 1-5', 'Asia/Tokyo'],
  ['Mondays, 1:00 in Shanghai', '0 1 * * 1', 'Asia/Shanghai'],
  ['the first of a month, 1:00 in Shanghai', '0 1 1 * *', 'Asia/Shanghai'],
  ['the first of March, 1:00 in Shanghai', '0 1 1 3 *', 'Asia/Shanghai'],
  ['Mondays, 1:00 and 20:00 in Shanghai', '0 1,20 * * 1', 'Asia/Shanghai'],
  ['9:15 and 9:45 in India', '15,45 9 * * *', 'Asia/Kolkata']
]) console.log(`${words}: ${line}\n  local-crontab: ${localCrontabToUtcCrontabs(line, zone).join('; ')}\n  crontzconvert: ${convert(line, zone, 'UTC')}`)
END

for package in local-crontab crontzconvert; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Monday to Friday, 8:00 in Tokyo: 0 8 * * 1-5
  local-crontab: 0 23 * * 1-5
  crontzconvert: 0 0 23 * * 0-4
Mondays, 1:00 in Shanghai: 0 1 * * 1
  local-crontab: 0 17 * * 1
  crontzconvert: 0 0 17 * * 0
the first of a month, 1:00 in Shanghai: 0 1 1 * *
  local-crontab: 0 17 1 * *
  crontzconvert: 0 0 17 L * *
the first of March, 1:00 in Shanghai: 0 1 1 3 *
  local-crontab: 0 17 1 3 *
  crontzconvert: 0 0 17 L 2 *
Mondays, 1:00 and 20:00 in Shanghai: 0 1,20 * * 1
  local-crontab: 0 12,17 * * 1
  crontzconvert: 0 0 12,17 * * 0
9:15 and 9:45 in India: 15,45 9 * * *
  local-crontab: 15,45 3 * * *
  crontzconvert: 0 15,45 3 * * *
END
