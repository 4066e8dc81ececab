#!/usr/bin/env bash
# vtt-creator writes a second 60, and a strict reader leaves out that caption.
#
# Expected: a time of 59.9996 s, as programs that recognise speech give it, is rounded to 00:01:00.000.
# Seen with vtt-creator 1.1.1 (Node 20): it is 00:00:60.000. webvtt-parser 2.2.0, which follows the specification,
# reads the other captions only; node-webvtt 2.0.0 reads it as one minute.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error vtt-creator@1.1.1 webvtt-parser@2.2.0 node-webvtt@2.0.0

cat > write.js <<'END'
const Creator = require('vtt-creator')
const { WebVTTParser } = require('webvtt-parser')
const { parse } = require('node-webvtt')
const captions = new Creator()
captions.add(59.9996, 61, 'Good morning.')
captions.add(61, 62, 'Good night.')
const text = captions.toString()
console.log(text.split(/\r?\n/).filter((line) => line.includes('-->')).join('\n'))
const { cues, errors } = new WebVTTParser().parse(text)
console.log('webvtt-parser', JSON.stringify(cues.map((cue) => cue.text)), errors[0].message)
console.log('node-webvtt', JSON.stringify(parse(text).cues.map((cue) => cue.text)))
END

for package in vtt-creator webvtt-parser node-webvtt; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node write.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
00:00:60.000 --> 00:01:01.000
00:01:01.000 --> 00:01:02.000
webvtt-parser ["Good night."] You cannot have more than 59 seconds.
node-webvtt ["Good morning.","Good night."]
END
