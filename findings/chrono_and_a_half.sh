#!/usr/bin/env bash
# Chrono reads "two and a half hours ago" as half an hour ago, and midnight in Chinese as noon.
#
# Expected: 9:30, asked at noon, or nothing, as it has it for "an hour and a half ago"; it reads "2.5 hours ago" and
# 半小时后 (in half an hour).
# Seen with chrono-node 2.10.3 (Node 20): of "two and a half" the half alone is read, of weeks too; 两个半小时后 (in two and
# a half hours) is in half an hour, and 一个半月后 (in a month and a half) in two weeks. 晚上十二点, twelve at night, is twelve
# noon of the same day. In French an hour and a half (une heure et demie) is an hour. The text that it gives with the
# date shows what it left out.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error chrono-node@2.10.3

cat > read.mjs <<'END'
import * as chrono from 'chrono-node'
const noon = new Date('2026-03-05T12:00:00Z')
const texts = [['en', '2.5 hours ago'], ['en', 'two and a half hours ago'], ['en', 'two and a half weeks ago'], ['en', 'an hour and a half ago'], ['fr', 'dans une heure et demie'],
  ['zh', '半小时后'], ['zh', '两个半小时后'], ['zh', '一个半月后'], ['zh', '上午十点半'], ['zh', '晚上十二点']]
for (const [language, text] of texts) {
  const found = chrono[language].parse(text, noon).map((each) => `${each.text}: ${each.start.date().toISOString().slice(0, 16)}`)
  console.log(`${text} -> ${found.join(', ') || 'nothing'}`)
}
END

node -p "'chrono-node ' + JSON.parse(fs.readFileSync('node_modules/chrono-node/package.json')).version"
TZ=UTC node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2.5 hours ago -> 2.5 hours ago: 2026-03-05T09:30
two and a half hours ago -> half hours ago: 2026-03-05T11:30
two and a half weeks ago -> half weeks ago: 2026-03-02T12:00
an hour and a half ago -> nothing
dans une heure et demie -> dans une heure: 2026-03-05T13:00
半小时后 -> 半小时后: 2026-03-05T12:30
两个半小时后 -> 半小时后: 2026-03-05T12:30
一个半月后 -> 半月后: 2026-03-19T12:00
上午十点半 -> 上午十点半: 2026-03-05T10:30
晚上十二点 -> 晚上十二点: 2026-03-05T12:00
END
