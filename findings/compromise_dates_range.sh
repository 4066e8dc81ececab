#!/usr/bin/env bash
# compromise-dates takes 5-7 March 2026 for the evening of the first of March, from five to seven o'clock.
#
# Expected: three days, as it reads "5th-7th of March", "March 5-7 2026" and "1-14 April".
# Seen with compromise 14.17.0 and compromise-dates 3.9.0 (Node 20), asked on 5 March 2026: numbers that can be hours
# are hours. "between 5 and 7 March" and "from the 5th to the 7th of March" are 7 March alone, and "between March 5 and
# March 7" ends on the sixth. "from 5 to 7 March" is not read.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --legacy-peer-deps compromise@14.17.0 compromise-dates@3.9.0

cat > read.mjs <<'END'
import nlp from 'compromise'
import dates from 'compromise-dates'
nlp.plugin(dates)
for (const text of ['March 5-7 2026', '5th-7th of March', '1-14 April', '5-7 March 2026', 'between 5 and 7 March', 'from the 5th to the 7th of March',
  'between March 5 and March 7', 'from 5 to 7 March']) {
  const read = nlp(text).dates({ today: '2026-03-05', timezone: 'UTC' }).get()
  console.log(text, '=>', read.map(({ start, end }) => `${start.slice(0, 16)} to ${end.slice(0, 16)}`).join() || 'nothing')
}
END

for package in compromise compromise-dates; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
March 5-7 2026 => 2026-03-05T00:00 to 2026-03-07T23:59
5th-7th of March => 2026-03-05T00:00 to 2026-03-07T23:59
1-14 April => 2026-04-01T00:00 to 2026-04-14T23:59
5-7 March 2026 => 2026-03-01T17:00 to 2026-03-01T19:00
between 5 and 7 March => 2026-03-07T00:00 to 2026-03-07T23:59
from the 5th to the 7th of March => 2026-03-07T00:00 to 2026-03-07T23:59
between March 5 and March 7 => 2026-03-05T00:00 to 2026-03-06T23:59
from 5 to 7 March => nothing
END
