#!/usr/bin/env bash
# md-to-adf cuts the first letters of a line that goes on below a numbered step: "not 10" becomes "ot 10".
#
# Expected: what is indented below "1. " goes on with the step, and the blanks before it are no part of its text; a
# paragraph that begins at the margin ends the list.
# Seen with md-to-adf 0.6.4 (Node 20): two characters are taken from the front, whatever they are, so that with a list
# number of two digits it is two letters less. The paragraph after a list within a list becomes a part of its last item,
# and max_dose_mg loses its underlines.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error md-to-adf@0.6.4

cat > convert.js <<'END'
const convert = require('md-to-adf')
// The document in one line: the name of each node and what is in it.
const show = ({ type, text, content = [] }) => text ?? `${type}(${content.map(show).join('')})`
for (const text of ['1. Take 5 mg,\n   not 10.', '10. Take 5 mg,\n    not 10.', '- Take 5 mg,\n  not 10.', '1. Mix\n   - well\n\nThen rest.', 'max_dose_mg']) {
  console.log(JSON.stringify(text), show(JSON.parse(JSON.stringify(convert(text)))))
}
END

node -p "'md-to-adf ' + JSON.parse(fs.readFileSync('node_modules/md-to-adf/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"1. Take 5 mg,\n   not 10." doc(orderedList(listItem(paragraph(Take 5 mg, ot 10.))))
"10. Take 5 mg,\n    not 10." doc(orderedList(listItem(paragraph(Take 5 mg, t 10.))))
"- Take 5 mg,\n  not 10." doc(bulletList(listItem(paragraph(Take 5 mg, not 10.))))
"1. Mix\n   - well\n\nThen rest." doc(orderedList(listItem(paragraph(Mix)bulletList(listItem(paragraph(well)paragraph(Then rest.))))))
"max_dose_mg" doc(paragraph(maxdosemg))
END
