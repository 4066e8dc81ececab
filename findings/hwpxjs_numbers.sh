#!/usr/bin/env bash
# hwpxjs leaves out what is a number: of "Take 5 mg" with a bold 5, "Takemg" is left.
#
# Expected: the text of a document of Hangul (HWPX) is what stands in its <hp:t>, number or not, with a blank, a tab or
# a line where it has <hp:tab/>, <hp:lineBreak/> or <hp:nbSpace/>, which stand within the text.
# Seen with @ssabrojs/hwpxjs 0.2.0 and jszip 3.10.1 (Node 20), in the text and in the HTML: what looks like a number is
# taken for one by the reader of XML, and is not text any more; the blanks around it go, too. Elements within a text are
# gone with nothing in their place: "Take 5" above "10 drops" becomes "Take 510 drops".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @ssabrojs/hwpxjs@0.2.0 jszip@3.10.1

cat > read.mjs <<'END'
import { HwpxReader, HwpxWriter } from '@ssabrojs/hwpxjs'
import JSZip from 'jszip'
const run = (text) => `<hp:run charPrIDRef="0"><hp:t>${text}</hp:t></hp:run>`
const section = (runs) => `<?xml version="1.0" encoding="UTF-8"?><hs:sec xmlns:hs="http://www.hancom.co.kr/hwpml/2011/section" xmlns:hp="http://www.hancom.co.kr/hwpml/2011/paragraph"><hp:p id="0" paraPrIDRef="0" styleIDRef="0">${runs.map(run).join('')}</hp:p></hs:sec>`
// A document of the library itself, with another text.
const archive = await JSZip.loadAsync(await new HwpxWriter().createFromPlainText('Dose'))
for (const runs of [['Dose 5'], ['5'], ['0.50'], ['Take ', '5', ' mg'], ['5<hp:tab/>10 mg'], ['Take 5<hp:lineBreak/>10 drops'], ['5<hp:nbSpace/>mg']]) {
  archive.file('Contents/section0.xml', section(runs))
  const reader = new HwpxReader()
  await reader.loadFromArrayBuffer(await archive.generateAsync({ type: 'arraybuffer' }))
  console.log(runs.join(' + '), '=>', JSON.stringify(await reader.extractText()), await reader.extractHtml())
}
END

node -p "'@ssabrojs/hwpxjs ' + JSON.parse(fs.readFileSync('node_modules/@ssabrojs/hwpxjs/package.json')).version"
node read.mjs 2> log.txt | grep -v '^No refList' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Dose 5 => "Dose 5" <p>Dose 5</p>
5 => "" <p></p>
0.50 => "" <p></p>
Take  + 5 +  mg => "Takemg" <p>Takemg</p>
5<hp:tab/>10 mg => "510 mg" <p>510 mg</p>
Take 5<hp:lineBreak/>10 drops => "Take 510 drops" <p>Take 510 drops</p>
5<hp:nbSpace/>mg => "5mg" <p>5mg</p>
END
