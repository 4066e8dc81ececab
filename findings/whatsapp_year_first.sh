#!/usr/bin/env bash
# whatsapp-chat-parser reads the 6th of March, written 2026/03/06, as the 3rd of June, and 下午8:00 as the morning.
#
# Expected: where the year stands first, the month follows, as Chinese, Japanese, Hungarian and Swedish phones write it;
# no language writes year, day, month. An hour in the afternoon (下午) is one, as 8:00 PM is.
# Seen with whatsapp-chat-parser 4.0.2 (Node 20): it knows that the year stands first, and takes the next number for the
# day until one of the export is over 12 in that place or the other. With daysFirst: false the month is right, the half
# of the day is not. A year of two digits in front is the day, and the day the year.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error whatsapp-chat-parser@4.0.2

cat > read.mjs <<'END'
import { parseString } from 'whatsapp-chat-parser'
const show = (text, options) => console.log(`${text} ${JSON.stringify(options ?? {})}: ${parseString(text, options).map(({ date, author }) => `${author} ${date.toString().slice(4, 21)}`)}`)
for (const start of ['2026/03/06, 20:00 -', '2026-03-06, 20:00 -', '2026. 03. 06. 20:00 -', '[2026/3/6 20:00:00]', '2026/3/26 20:00 -', '26/03/06, 20:00 -']) show(`${start} Ann: Tea`)
for (const options of [undefined, { daysFirst: false }]) show('2026/3/6 下午8:00 - Ann: Tea', options)
show('6/3/26, 8:00 PM - Ann: Tea')
END

node -p "'whatsapp-chat-parser ' + JSON.parse(fs.readFileSync('node_modules/whatsapp-chat-parser/package.json')).version"
TZ=UTC node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2026/03/06, 20:00 - Ann: Tea {}: Ann Jun 03 2026 20:00
2026-03-06, 20:00 - Ann: Tea {}: Ann Jun 03 2026 20:00
2026. 03. 06. 20:00 - Ann: Tea {}: Ann Jun 03 2026 20:00
[2026/3/6 20:00:00] Ann: Tea {}: Ann Jun 03 2026 20:00
2026/3/26 20:00 - Ann: Tea {}: Ann Mar 26 2026 20:00
26/03/06, 20:00 - Ann: Tea {}: Ann Mar 26 2006 20:00
2026/3/6 下午8:00 - Ann: Tea {}: Ann Jun 03 2026 08:00
2026/3/6 下午8:00 - Ann: Tea {"daysFirst":false}: Ann Mar 06 2026 08:00
6/3/26, 8:00 PM - Ann: Tea {}: Ann Mar 06 2026 20:00
END
