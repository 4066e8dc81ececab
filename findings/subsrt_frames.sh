#!/usr/bin/env bash
# subsrt counts the frames of a MicroDVD file in thousandths: a caption after one second comes after sixteen minutes.
#
# Expected: at 25 frames a second, the first second begins at frame 25, as MicroDVD counts frames and not time: {25}{50}
# is the second from 1 s to 2 s.
# Seen with subsrt 1.1.1 (Node 20): it writes {25000}{50000}, and reads {25}{50} as the first and the second thousandth
# of a second, so that all captions of a file flash by in the first instants. What it writes itself it reads back
# rightly. The line that gives the rate of frames is a caption, and SAMI that it has written has none.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error subsrt@1.1.1

cat > convert.js <<'END'
const subsrt = require('subsrt')
const srt = '1\n00:00:01,000 --> 00:00:02,000\nTake 5 mg\n'
const captions = (text, format) => subsrt.parse(text, { format, fps: 25 }).filter(({ type }) => type === 'caption')
const lines = (list) => list.map(({ start, end, text }) => `  ${start} ms to ${end} ms: ${text.trim()}`).join('\n') || '  nothing'
console.log(`SubRip\n${lines(captions(srt, 'srt'))}`)
const written = subsrt.convert(srt, { format: 'sub', fps: 25 })
console.log(`as MicroDVD: ${written.trim()}\n${lines(captions(written, 'sub'))}`)
console.log(`another's MicroDVD\n${lines(captions('{1}{1}25\n{25}{50}Take 5 mg\n', 'sub'))}`)
console.log(`SAMI that it wrote\n${lines(captions(subsrt.convert(srt, { format: 'smi' }), 'smi'))}`)
END

node -p "'subsrt ' + JSON.parse(fs.readFileSync('node_modules/subsrt/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
SubRip
  1000 ms to 2000 ms: Take 5 mg
as MicroDVD: {25000}{50000}Take 5 mg|
  1000 ms to 2000 ms: Take 5 mg
another's MicroDVD
  0 ms to 0 ms: 25
  1 ms to 2 ms: Take 5 mg
SAMI that it wrote
  nothing
END
