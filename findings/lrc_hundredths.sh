#!/usr/bin/env bash
# Two libraries for lyrics take 13.05 seconds for 13.5: one writes such times, the other reads them so.
#
# Expected: in [00:13.05] five hundredths follow 13 seconds. The readme of lrc-kit writes 9.01 seconds as [00:09.01].
# Seen with lrc-kit 1.2.1 and lrc-file-parser 2.4.2 (Node 20): lrc-kit reads 13.05 and writes [00:13.50], 9.01 as
# [00:09.10] and 59.999 as [00:59.100]. lrc-file-parser reads 13.05 as 13500 ms, later than the 13.40 that follows it,
# and as 13005 ms where a time with three digits stands anywhere in the file, so that lines change places.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error lrc-kit@1.2.1 lrc-file-parser@2.4.2

cat > read.mjs <<'END'
import { Lrc } from 'lrc-kit'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
const file = createRequire(import.meta.url).resolve('lrc-file-parser')
const holder = { exports: {} }
new Function('module', readFileSync(file, 'utf8'))(holder) // its package.json has Node take CommonJS for an ES module
const times = (text) => {
  let lines
  new holder.exports({ offset: 0, onSetLyric: (all) => { lines = all } }).setLyric(text)
  return lines.map(({ time, text }) => `${text} ${time}`).join(', ')
}
const song = '[00:13.05]first\n[00:13.40]second'
const read = Lrc.parse(song)
console.log('lrc-kit reads', read.lyrics.map(({ content, timestamp }) => `${content} ${timestamp}`).join(', '))
console.log('lrc-kit writes', read.toString().trim().split(/\r?\n/).join(' '))
const made = new Lrc()
for (const timestamp of [9.01, 59.999]) made.lyrics.push({ timestamp, content: String(timestamp) })
console.log('lrc-kit writes', made.toString().trim().split(/\r?\n/).join(' '))
console.log('lrc-file-parser reads', times(song))
console.log('lrc-file-parser reads', times(`${song}\n[00:20.000]third`))
END

for package in lrc-kit lrc-file-parser; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
lrc-kit reads first 13.05, second 13.4
lrc-kit writes [00:13.50]first [00:13.40]second
lrc-kit writes [00:09.10][00:59.100]
lrc-file-parser reads second 13400, first 13500
lrc-file-parser reads first 13005, second 13040, third 20000
END
