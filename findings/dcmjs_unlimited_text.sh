#!/usr/bin/env bash
# dcmjs cuts a long text of a DICOM report at each backslash: "5\10 ml" becomes two values.
#
# Expected: a backslash parts values where DICOM says that there can be several; a text of the kind UT (Unlimited Text),
# as the texts of structured reports have it, is always one, like LT and ST.
# Seen with dcmjs 0.51.1 and dicom-parser 1.8.21 (Node 20): TextValue (UT), written as one text, is read as a list, with
# no backslash; ImageComments (LT) with the same text is one. The file has it in both, as dicom-parser shows.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error dcmjs@0.51.1 dicom-parser@1.8.21

cat > read.mjs <<'END'
import dcmjs from 'dcmjs'
import dicomParser from 'dicom-parser'
const { DicomDict, DicomMessage, DicomMetaDictionary } = dcmjs.data
const text = 'See A:\\plan. Dose: 5\\10 ml'
const file = new DicomDict({ TransferSyntaxUID: { vr: 'UI', Value: ['1.2.840.10008.1.2.1'] } })
file.dict = DicomMetaDictionary.denaturalizeDataset({ _vrMap: {}, ImageComments: text, TextValue: text })
const bytes = file.write()
const plain = dicomParser.parseDicom(new Uint8Array(bytes))
for (const [name, tag] of [['ImageComments', 'x00204000'], ['TextValue', 'x0040a160']]) {
  console.log(name, plain.elements[tag].vr)
  console.log('  dicom-parser', JSON.stringify(plain.text(tag)))
  console.log('  dcmjs', JSON.stringify(DicomMetaDictionary.naturalizeDataset(DicomMessage.readFile(bytes).dict)[name]))
}
END

for package in dcmjs dicom-parser; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
ImageComments LT
  dicom-parser "See A:\\plan. Dose: 5\\10 ml"
  dcmjs "See A:\\plan. Dose: 5\\10 ml"
TextValue UT
  dicom-parser "See A:\\plan. Dose: 5\\10 ml"
  dcmjs ["See A:","plan. Dose: 5","10 ml"]
END
