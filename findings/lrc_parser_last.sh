#!/usr/bin/env bash
# lrc-parser leaves out the last line of a song, and sings the second time of a line as its words.
#
# Expected: each line of the lyrics, the last one with an open end; a line that is sung twice, which LRC writes with two
# times before it, comes at both of them, as clrc 3.1.4 reads it.
# Seen with lrc-parser 1.0.1 (Node 20), which takes the end of a line from the one after it: the last line has none, and
# is dropped, also where the length of the song is given. A repeated line comes once, as "[00:10.00]Take 5".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error lrc-parser@1.0.1 clrc@3.1.4

cat > read.mjs <<'END'
import { parse } from 'clrc'
import lrcParser from 'lrc-parser'
for (const text of ['[00:01.00]Take 5\n[00:05.00]Not 10\n[00:09.00]Now', '[length:00:20]\n[00:01.00]Take 5\n', '[00:01.00][00:09.00]Take 5\n[00:05.00]Not 10\n[00:12.00]Now']) {
  const { scripts = [] } = lrcParser(text)
  console.log(JSON.stringify(text))
  console.log(`  lrc-parser: ${scripts.map(({ start, text }) => `${start} ${text}`).join(' / ')}`)
  console.log(`  clrc:       ${parse(text).filter(({ type }) => type === 'lyric').map(({ startMillisecond, content }) => `${startMillisecond / 1000} ${content}`).join(' / ')}`)
}
END

for package in lrc-parser clrc; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"[00:01.00]Take 5\n[00:05.00]Not 10\n[00:09.00]Now"
  lrc-parser: 1 Take 5 / 5 Not 10
  clrc:       1 Take 5 / 5 Not 10 / 9 Now
"[length:00:20]\n[00:01.00]Take 5\n"
  lrc-parser: 
  clrc:       1 Take 5
"[00:01.00][00:09.00]Take 5\n[00:05.00]Not 10\n[00:12.00]Now"
  lrc-parser: 1 [00:09.00]Take 5 / 5 Not 10
  clrc:       1 Take 5 / 9 Take 5 / 5 Not 10 / 12 Now
END
