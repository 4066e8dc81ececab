#!/usr/bin/env bash
# to-json-schema says that the text "007" is a colour, "12:30" a style and "12" a number of milliseconds.
#
# Expected: {"type": "string"}, or "time" for 12:30: a colour in three digits begins with "#" in CSS, a style is a property
# with its value, and a date of JavaScript is written into JSON as a text.
# Seen with to-json-schema 0.2.5 (Node 20), as it is: three digits, or letters from a to f, are format "color", and one,
# two or four digits "utc-millisec"; "5 mg" has no format. Of a date it makes the type "date", which JSON Schema does not
# have, and of a list of a number and a text a list of anything. A model that fills in such a schema is told that the
# number of a record is a colour.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts to-json-schema@0.2.5

cat > read.js <<'END'
const toJsonSchema = require('to-json-schema')
for (const value of ['5 mg', '2026-03-05', '12:30', 'Dose: 5 mg', '007', '120', '12', '1944', '190', 'abc', 'tan', [5, 'mg'], new Date(0)]) console.log(`${JSON.stringify(value)} -> ${JSON.stringify(toJsonSchema(value))}`)
END

node -p "'to-json-schema ' + JSON.parse(fs.readFileSync('node_modules/to-json-schema/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"5 mg" -> {"type":"string"}
"2026-03-05" -> {"type":"string","format":"date"}
"12:30" -> {"type":"string","format":"style"}
"Dose: 5 mg" -> {"type":"string"}
"007" -> {"type":"string","format":"color"}
"120" -> {"type":"string","format":"color"}
"12" -> {"type":"string","format":"utc-millisec"}
"1944" -> {"type":"string","format":"utc-millisec"}
"190" -> {"type":"string","format":"color"}
"abc" -> {"type":"string","format":"color"}
"tan" -> {"type":"string"}
[5,"mg"] -> {"type":"array"}
"1970-01-01T00:00:00.000Z" -> {"type":"date"}
END
