#!/usr/bin/env bash
# hl7v2 reads a highlighted dose as "H5N mg", and writes a line break as a text with backslashes.
#
# Expected: \H\ and \N\ begin and end highlighted text in HL7, and \.br\ is a line break: a reader takes them out, gives
# signs of its own for them, or leaves them as they are, and a message that is written anew has them as before.
# Seen with hl7v2 1.8.0 and hl7parser 1.0.1 (Node 20): the backslashes around a command that is a letter go, and the
# letter becomes a part of the word, in the message that is written, too. The escape of a line break keeps its
# backslashes when it is read, and these are escaped when it is written, so that the next reader finds the text "\.br\".
# The other library leaves out \H\ and \N\.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error hl7v2@1.8.0 hl7v2-dictionary@1.8.0 hl7parser@1.0.1

cat > read.js <<'END'
const hl7parser = require('hl7parser')
const { HL7Message } = require('hl7v2')
for (const value of ['\\H\\5\\N\\ mg', '\\H\\Not\\N\\ 10', '5 mg\\.br\\10 mg', '5\\S\\10']) {
  const text = `MSH|^~\\&|LAB|H|EHR|H|202603050930||ORU^R01|1|P|2.5\rOBX|1|TX|1^Dose||${value}`
  const message = HL7Message.parse(text)
  const read = message.segments.find(({ segmentType }) => segmentType === 'OBX').field(5).getValue()
  const written = message.toHL7String().split('\r')[1].split('|')[5]
  console.log(`${value}\n  hl7v2:     ${read}, written as ${written}\n  hl7parser: ${hl7parser.create(text).get('OBX.5')}`)
}
END

for package in hl7v2 hl7parser; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
\H\5\N\ mg
  hl7v2:     H5N mg, written as H5N mg
  hl7parser: 5 mg
\H\Not\N\ 10
  hl7v2:     HNotN 10, written as HNotN 10
  hl7parser: Not 10
5 mg\.br\10 mg
  hl7v2:     5 mg\.br\10 mg, written as 5 mg\E\.br\E\10 mg
  hl7parser: 5 mg\.br\10 mg
5\S\10
  hl7v2:     5^10, written as 5\S\10
  hl7parser: 5^10
END
