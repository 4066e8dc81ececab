#!/usr/bin/env bash
# vtt-to-json leaves out the last caption of a file, and shows the numbers of captions as their text.
#
# Expected: an entry for each caption of a valid WebVTT file, with its times and its text.
# Seen with vtt-to-json 0.1.1 (Node 20): there is an entry for each line of a caption, and one for the line after its
# first one even where that is empty or the number of the next caption, which is then its text. The number of the one
# after next is added to the text, "With food 3", and the last caption is missing from each of the files.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error vtt-to-json@0.1.1

cat > read.js <<'END'
const read = require('vtt-to-json')
const file = (texts, numbers) => `WEBVTT\n\n${texts.map((text, n) => `${numbers ? `${n + 1}\n` : ''}00:00:0${n + 1}.000 --> 00:00:0${n + 2}.000\n${text}\n`).join('\n')}`
const main = async () => {
  for (const [texts, numbers] of [[['Take 5\nor 6', 'With food\nor milk'], false], [['Take 5', 'With food'], false], [['Take 5', 'With food', 'Not 10'], false], [['Take 5', 'With food', 'Not 10'], true]]) {
    const captions = await read(file(texts, numbers))
    console.log(`${numbers ? 'with' : 'without'} numbers: ${JSON.stringify(texts)}`)
    for (const { start, end, part } of captions) console.log(`  ${start} to ${end}: ${JSON.stringify(part)}`)
  }
}
main()
END

node -p "'vtt-to-json ' + JSON.parse(fs.readFileSync('node_modules/vtt-to-json/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
without numbers: ["Take 5\nor 6","With food\nor milk"]
  1000 to 2000: "Take 5"
  1000 to 2000: "or 6"
without numbers: ["Take 5","With food"]
  1000 to 2000: "Take 5"
  1000 to 2000: ""
without numbers: ["Take 5","With food","Not 10"]
  1000 to 2000: "Take 5"
  1000 to 2000: ""
  2000 to 3000: "With food"
with numbers: ["Take 5","With food","Not 10"]
  1000 to 2000: "Take 5"
  1000 to 2000: "2"
  2000 to 3000: "With food 3"
END
