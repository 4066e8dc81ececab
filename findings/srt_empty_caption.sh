#!/usr/bin/env bash
# Two readers of subtitles fill a caption that has no text with lines of the next one.
#
# Expected: a caption with an empty text, as programs leave where a line was deleted, is empty or left out.
# Seen with @plussub/srt-vtt-parser 2.0.5 and subtitle-converter 3.0.12 (Node 20): the first makes number, time and text
# of the next caption the text of the empty one, so that a caption is lost; the second makes WebVTT with that number
# as text. subtitle 4.2.2 has an empty text.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @plussub/srt-vtt-parser@2.0.5 subtitle-converter@3.0.12 subtitle@4.2.2

cat > read.js <<'END'
const { parse } = require('@plussub/srt-vtt-parser')
const { convert } = require('subtitle-converter')
const { parseSync } = require('subtitle')
const srt = '1\n00:00:01,000 --> 00:00:02,000\n\n2\n00:00:03,000 --> 00:00:04,000\nGood morning.\n'
console.log('srt-vtt-parser', JSON.stringify(parse(srt).entries.map(({ text }) => text)))
console.log('subtitle-converter', JSON.stringify(convert(srt, '.vtt').subtitle.split('\n\n').slice(1).map((cue) => cue.trim().split('\n').slice(2))))
console.log('subtitle', JSON.stringify(parseSync(srt).map(({ data }) => data.text)))
END

for package in @plussub/srt-vtt-parser subtitle-converter subtitle; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
srt-vtt-parser ["\n2\n00:00:03,000 --> 00:00:04,000\nGood morning."]
subtitle-converter [["2"],["Good morning."]]
subtitle ["","Good morning."]
END
