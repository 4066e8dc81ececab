#!/usr/bin/env bash
# ttml2srt shows the captions of a part that begins at ten minutes in the first minute.
#
# Expected: in TTML the times of a paragraph count from the begin of the division (<div>) that it is in: one second
# after 00:10:00 is 00:10:01. What XML escapes, "&amp;", is a character in SRT, which has no escapes.
# Seen with ttml2srt 1.2.4 (Node 20): the begin of a division counts for nothing, so that the captions of all parts lie on
# top of each other at the start; "&amp;" and "&lt;" stay. Frames and ticks are reckoned rightly.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error ttml2srt@1.2.4

cat > convert.js <<'END'
const { ttml2srt } = require('ttml2srt')
console.log(ttml2srt(`<?xml version="1.0" encoding="UTF-8"?>
<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="25" xml:lang="en"><body>
<div><p begin="00:00:01.000" end="00:00:02.000">Salt &amp; water, &lt; 3 g</p>
<p begin="00:00:05:12" end="00:00:06:00">Stir.</p></div>
<div begin="00:10:00.000"><p begin="00:00:01.000" end="00:00:02.000">Part two.</p></div>
</body></tt>`))
END

node -p "'ttml2srt ' + JSON.parse(fs.readFileSync('node_modules/ttml2srt/package.json')).version"
node convert.js | tr -d '\r\357\273\277' | grep -v '^\[INFO\]' | grep . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
1
00:00:01,000 --> 00:00:02,000
Salt &amp; water, &lt; 3 g
2
00:00:05,480 --> 00:00:06,000
Stir.
3
00:00:01,000 --> 00:00:02,000
Part two.
END
