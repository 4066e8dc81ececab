#!/usr/bin/env bash
# sami-parser gives the words of one language to another: English and German captions are one text, in English.
#
# Expected: SAMI has captions in several languages, each in a <P> with the class of its language, and the result has a
# text for each of them, as its field "languages" has room for; &lt; is "<", and an empty caption ends the one before.
# Seen with sami-parser 0.5.3 (Node 20): all words of a moment are joined, with nothing between, and belong to the first
# language that it knows among them. Of the names of signs only &nbsp; is understood, and where each of two languages
# has one, their names are the text of a caption. There is no word of an error.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error sami-parser@0.5.3

cat > read.js <<'END'
const { parse } = require('sami-parser')
const style = '<STYLE TYPE="text/css"><!--\nP { color: white; }\n.ENCC { Name: English; lang: en-US; SAMIType: CC; }\n.DECC { Name: German; lang: de-DE; SAMIType: CC; }\n--></STYLE>'
const moments = (...lines) => `<SAMI><HEAD>${style}</HEAD><BODY>\n${lines.join('\n')}\n</BODY></SAMI>`
for (const lines of [['<SYNC Start=1000><P Class=ENCC>Take 5', '<SYNC Start=2000><P Class=ENCC>&nbsp;'], ['<SYNC Start=1000><P Class=ENCC>Take 5', '<P Class=DECC>Nimm 5', '<SYNC Start=2000><P Class=ENCC>&nbsp;', '<P Class=DECC>&nbsp;'], ['<SYNC Start=1000><P Class=ENCC>5 &lt; 10', '<SYNC Start=2000><P Class=ENCC>&nbsp;']]) {
  const { result, errors } = parse(moments(...lines))
  console.log(lines.join(' '))
  for (const { startTime, endTime, languages } of result) console.log(`  ${startTime} to ${endTime}: ${JSON.stringify(languages)}`)
  console.log(`  errors: ${errors.length}`)
}
END

node -p "'sami-parser ' + JSON.parse(fs.readFileSync('node_modules/sami-parser/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<SYNC Start=1000><P Class=ENCC>Take 5 <SYNC Start=2000><P Class=ENCC>&nbsp;
  1000 to 2000: {"en":"Take 5"}
  errors: 0
<SYNC Start=1000><P Class=ENCC>Take 5 <P Class=DECC>Nimm 5 <SYNC Start=2000><P Class=ENCC>&nbsp; <P Class=DECC>&nbsp;
  1000 to 2000: {"en":"Take 5Nimm 5"}
  2000 to 12000: {"en":"&nbsp;&nbsp;"}
  errors: 0
<SYNC Start=1000><P Class=ENCC>5 &lt; 10 <SYNC Start=2000><P Class=ENCC>&nbsp;
  1000 to 2000: {"en":"5 &lt; 10"}
  errors: 0
END
