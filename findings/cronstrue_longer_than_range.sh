#!/usr/bin/env bash
# cronstrue says "every 36 hours" of a time of cron that comes every 24, and "every 90 minutes" of one that comes each
# hour.
#
# Expected: the words say when it runs: a step (*/36) counts within a day or an hour, which it begins anew, so that what
# is longer is each day at midnight or each hour.
# Seen with cronstrue 3.39.0 and cron-parser 5.10.5, which reckons the times (Node 20): nothing is said of the range.
# "Every 45 minutes" is 45 and 15 minutes in turn, and "every 5 hours" ends with four hours at midnight, so that a
# person who checks a dose every 36 hours by the words finds it right.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error cronstrue@3.39.0 cron-parser@5.10.5

cat > read.mjs <<'END'
import cronstrue from 'cronstrue'
import { CronExpressionParser } from 'cron-parser'
for (const cron of ['0 */6 * * *', '0 */36 * * *', '*/90 * * * *', '*/45 * * * *', '0 */5 * * *']) {
  const times = CronExpressionParser.parse(cron, { currentDate: '2026-03-05T00:00:00Z', tz: 'UTC' })
  console.log(cron, '|', cronstrue.toString(cron), '|', times.take(6).map((time) => time.toISOString().slice(8, 16)).join(' '))
}
END

for package in cronstrue cron-parser; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
0 */6 * * * | On the hour, every 6 hours | 05T06:00 05T12:00 05T18:00 06T00:00 06T06:00 06T12:00
0 */36 * * * | On the hour, every 36 hours | 06T00:00 07T00:00 08T00:00 09T00:00 10T00:00 11T00:00
*/90 * * * * | Every 90 minutes | 05T01:00 05T02:00 05T03:00 05T04:00 05T05:00 05T06:00
*/45 * * * * | Every 45 minutes | 05T00:45 05T01:00 05T01:45 05T02:00 05T02:45 05T03:00
0 */5 * * * | On the hour, every 5 hours | 05T05:00 05T10:00 05T15:00 05T20:00 06T00:00 06T05:00
END
