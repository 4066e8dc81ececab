#!/usr/bin/env bash
# musicxml-io sings the bar line of ABC as a word, and gives words to other notes.
#
# Expected: in the words of a tune in ABC, "_" holds the last syllable for a further note, "*" leaves a note without
# one, and "|" goes on at the next bar, as its standard (2.1) has it; a tune that is read and written has each word at
# its note.
# Seen with musicxml-io 0.9.6 (Node 20): "|" is a syllable, and "_" holds nothing, so that the words that follow come a
# note earlier or later. "*" is understood and not written, also where the tune comes from MusicXML: the words after a
# note without one move to it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error musicxml-io@0.9.6

cat > sing.mjs <<'END'
import { parse, parseAbc, serialize, serializeAbc } from 'musicxml-io'
// The notes with their syllables, in the order of the score.
const sung = (score) => [...serialize(score).matchAll(/<note[^]*?<\/note>/g)]
  .map(([note]) => `${note.match(/<step>(.)/)[1]} ${note.match(/<text>([^<]*)/)?.[1] ?? '-'}`).join(', ')
const words = (abc) => abc.match(/^w:.*/m)[0]
for (const line of ['take five now', 'take * five now', 'take_ five now', 'take five | now not ten']) {
  const score = parseAbc(`X:1\nT:Dose\nM:4/4\nL:1/4\nK:C\nCDEF|GABc|\nw:${line}\n`)
  console.log(`w:${line}\n  read: ${sung(score)}\n  written: ${words(serializeAbc(score))}`)
}
const note = (step, lyric) => `<note><pitch><step>${step}</step><octave>4</octave></pitch><duration>2</duration><type>quarter</type>${lyric ? `<lyric><syllabic>single</syllabic><text>${lyric}</text></lyric>` : ''}</note>`
const score = parse(`<score-partwise version="4.0"><part-list><score-part id="P1"><part-name>Voice</part-name></score-part></part-list>
<part id="P1"><measure number="1"><attributes><divisions>2</divisions></attributes>${note('C', 'take')}${note('D')}${note('E', 'five')}${note('F', 'now')}</measure></part></score-partwise>`)
const abc = serializeAbc(score)
console.log(`MusicXML\n  read: ${sung(score)}\n  written: ${words(abc)}\n  again: ${sung(parseAbc(abc))}`)
END

node -p "'musicxml-io ' + JSON.parse(fs.readFileSync('node_modules/musicxml-io/package.json')).version"
node sing.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
w:take five now
  read: C take, D five, E now, F -, G -, A -, B -, C -
  written: w:take five now
w:take * five now
  read: C take, D -, E five, F now, G -, A -, B -, C -
  written: w:take five now
w:take_ five now
  read: C take_, D five, E now, F -, G -, A -, B -, C -
  written: w:take_ five now
w:take five | now not ten
  read: C take, D five, E |, F now, G not, A ten, B -, C -
  written: w:take five | now not ten
MusicXML
  read: C take, D -, E five, F now
  written: w:take five now
  again: C take, D five, E now, F -
END
