#!/usr/bin/env bash
# zod-from-json-schema makes of a choice of two words a parameter that may be anything, as far as a model is told.
#
# Expected: a schema that is made into Zod, and by Zod into JSON Schema for a model, says the same: the two constants,
# the format of a date, the length of a code and the multiples of 0.5 that a dose has.
# Seen with zod-from-json-schema 0.5.6 and zod 4.6.7 (Node 20): oneOf becomes a list of all types that there are, with
# none of its constants; formats, lengths and multiples are gone. A check still has the choice, the length and the
# multiple, so that calls are refused for reasons that nobody told; a date of any form passes.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error zod-from-json-schema@0.5.6 zod@4.6.7

cat > convert.mjs <<'END'
import { convertJsonSchemaToZod } from 'zod-from-json-schema'
import { z } from 'zod'
const choice = { oneOf: [{ const: 'day', title: 'By day' }, { const: 'week', title: 'By week' }] }
const cases = [[choice, 'month'], [{ type: 'string', format: 'date' }, '5 March'], [{ type: 'string', minLength: 3 }, 'ab'],
  [{ type: 'number', multipleOf: 0.5 }, 0.7], [{ enum: ['day', 'week'] }, 'month']]
for (const [schema, value] of cases) {
  const converted = convertJsonSchemaToZod(schema)
  const { $schema, ...told } = z.toJSONSchema(converted)
  console.log(JSON.stringify(schema), '=>', JSON.stringify(told), '|', value, converted.safeParse(value).success ? 'passes' : 'is refused')
}
END

for package in zod-from-json-schema zod; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
{"oneOf":[{"const":"day","title":"By day"},{"const":"week","title":"By week"}]} => {"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"},{"type":"array","items":{}},{"type":"object","properties":{},"additionalProperties":{}}]} | month is refused
{"type":"string","format":"date"} => {"type":"string"} | 5 March passes
{"type":"string","minLength":3} => {"type":"string"} | ab is refused
{"type":"number","multipleOf":0.5} => {"type":"number"} | 0.7 is refused
{"enum":["day","week"]} => {"type":"string","enum":["day","week"]} | month is refused
END
