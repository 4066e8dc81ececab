#!/usr/bin/env bash
# xliff reads only the last sentence of a text in XLIFF 2: "Take 5 mg. Not 10." is "Not 10."
#
# Expected: a unit of XLIFF 2 has a segment for each sentence, and its text is all of them in their order. What a mark
# stands around (<mrk>) is a part of the text, and so is what a <group> without an id has in XLIFF 1.2.
# Seen with xliff 6.4.0 (Node 20): each segment takes the place of the one before it, marked words are empty, and all
# such a group has is gone. Files that are written again have blanks and lines within a text that they had not before.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error xliff@6.4.0

cat > read.js <<'END'
const { js2xliff, xliff12ToJs, xliff2js } = require('xliff')
const two = (unit) => `<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0" srcLang="en" trgLang="de"><file id="f"><unit id="dose">${unit}</unit></file></xliff>`
const one = (body) => `<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file original="f" datatype="plaintext" source-language="en" target-language="de"><body>${body}</body></file></xliff>`
const main = async () => {
  for (const unit of ['<segment><source>Take 5 mg.</source><target>Nimm 5 mg.</target></segment>', '<segment><source>Take 5 mg. </source></segment><segment><source>Not 10.</source></segment>', '<segment><source>Take <mrk id="m" translate="no">5 mg</mrk> now.</source></segment>', '<segment><source>H<ph id="p"/>O</source></segment>']) {
    const read = await xliff2js(two(unit))
    const written = (await js2xliff(read)).match(/<segment>[^]*<\/segment>/)[0]
    console.log(`${unit}\n  read:    ${JSON.stringify(read.resources.f.dose)}\n  written: ${JSON.stringify(written.match(/<source>[^]*<\/source>/)[0])}`)
  }
  const unit = '<trans-unit id="dose"><source>Take 5 mg.</source></trans-unit>'
  for (const body of [unit, `<group id="g">${unit}</group>`, `<group>${unit}</group>`]) {
    console.log(`${body}\n  read:    ${JSON.stringify((await xliff12ToJs(one(body))).resources.f)}`)
  }
}
main()
END

node -p "'xliff ' + JSON.parse(fs.readFileSync('node_modules/xliff/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<segment><source>Take 5 mg.</source><target>Nimm 5 mg.</target></segment>
  read:    {"source":"Take 5 mg.","target":"Nimm 5 mg."}
  written: "<source>Take 5 mg.</source>"
<segment><source>Take 5 mg. </source></segment><segment><source>Not 10.</source></segment>
  read:    {"source":"Not 10."}
  written: "<source>Not 10.</source>"
<segment><source>Take <mrk id="m" translate="no">5 mg</mrk> now.</source></segment>
  read:    {"source":["Take ",""," now."]}
  written: "<source>Take  now.</source>"
<segment><source>H<ph id="p"/>O</source></segment>
  read:    {"source":["H",{"Standalone":{"id":"p"}},"O"]}
  written: "<source>H\n          <ph id=\"p\"/>O\n        </source>"
<trans-unit id="dose"><source>Take 5 mg.</source></trans-unit>
  read:    {"dose":{"source":"Take 5 mg."}}
<group id="g"><trans-unit id="dose"><source>Take 5 mg.</source></trans-unit></group>
  read:    {"g":{"groupUnits":{"dose":{"source":"Take 5 mg."}}}}
<group><trans-unit id="dose"><source>Take 5 mg.</source></trans-unit></group>
  read:    {}
END
