#!/usr/bin/env bash
# djv takes the number 7 for the text "007", and false for 0, where a schema lists what a value may be.
#
# Expected: JSON Schema says that a value is the same JSON value as one of the list, so that a number is no text: ajv 8.20.0
# has it so, and so has djv itself where the schema has a type.
# Seen with djv 2.1.4 (Node 20), for its own draft-06: enum and const compare as JavaScript's == does, so that 7 is among
# ["007"], "5" among [5, 10], false among [0, 1] and a list of one word is that word. uniqueItems finds 5 and "5" the
# same, and minimum, which is for numbers alone, refuses the text "3". A tool whose parameter is the id of a note gets
# another type than its schema promises, and no error is told.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts djv@2.1.4 ajv@8.20.0

cat > read.js <<'END'
const Djv = require('djv')
const Ajv = require('ajv')
const cases = [
  [{ enum: ['007'] }, 7], [{ enum: ['5', '10'] }, 5], [{ enum: [5, 10] }, '5'], [{ const: 5 }, '5'],
  [{ enum: [0, 1] }, false], [{ enum: [''] }, 0], [{ enum: ['night'] }, ['night']], [{ uniqueItems: true }, [5, '5']],
  [{ minimum: 5 }, '3 tablets'], [{ minimum: 5 }, '3'], [{ type: 'number' }, '5']
]
cases.forEach(([schema, value], i) => {
  const djv = new Djv()
  djv.addSchema(`s${i}`, { ...schema })
  const name = (valid) => valid ? 'valid' : 'invalid'
  console.log(`${JSON.stringify(schema)} ${JSON.stringify(value)}: djv ${name(!djv.validate(`s${i}`, value))}, ajv ${name(new Ajv({ strict: false }).validate(schema, value))}`)
})
END

for package in djv ajv; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
{"enum":["007"]} 7: djv valid, ajv invalid
{"enum":["5","10"]} 5: djv valid, ajv invalid
{"enum":[5,10]} "5": djv valid, ajv invalid
{"const":5} "5": djv valid, ajv invalid
{"enum":[0,1]} false: djv valid, ajv invalid
{"enum":[""]} 0: djv valid, ajv invalid
{"enum":["night"]} ["night"]: djv valid, ajv invalid
{"uniqueItems":true} [5,"5"]: djv invalid, ajv valid
{"minimum":5} "3 tablets": djv valid, ajv valid
{"minimum":5} "3": djv invalid, ajv valid
{"type":"number"} "5": djv invalid, ajv invalid
END
