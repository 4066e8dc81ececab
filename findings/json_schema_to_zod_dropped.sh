#!/usr/bin/env bash
# Two libraries that make Zod of JSON Schema take out of an object what the schema does not name, and allows.
#
# Expected: JSON Schema allows further properties unless "additionalProperties" is false: what was valid is the same
# after it was checked, as the libraries do it where the word is true.
# Seen with json-schema-to-zod 2.8.1, @n8n/json-schema-to-zod 1.16.0 and zod 3.25.76 (Node 20): without the word, all
# that has no schema of its own is gone after the check, so that a tool gets a filter without its conditions. Both take
# a part of "allOf" that gives no type for no rule at all: the text may be shorter than it says.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error json-schema-to-zod@2.8.1 @n8n/json-schema-to-zod@1.16.0 zod@3.25.76

cat > check.js <<'END'
const { z } = require('zod')
const { jsonSchemaToZod } = require('json-schema-to-zod')
const n8n = require('@n8n/json-schema-to-zod').jsonSchemaToZod
const filter = { type: 'object', properties: { limit: { type: 'integer' } }, required: ['limit'] }
const code = { allOf: [{ type: 'string' }, { minLength: 3 }] }
const cases = [[filter, { limit: 5, author: 'Roe' }], [{ ...filter, additionalProperties: true }, { limit: 5, author: 'Roe' }],
  [code, 'ab']]
// The first library writes the program text of a schema.
for (const [name, convert] of [['json-schema-to-zod', schema => Function('z', 'return ' + jsonSchemaToZod(schema))(z)], ['@n8n/json-schema-to-zod', n8n]]) {
  for (const [schema, value] of cases) {
    const { success, data } = convert(schema).safeParse(value)
    console.log(name, JSON.stringify(value), success ? JSON.stringify(data) : 'refused')
  }
}
END

for package in json-schema-to-zod @n8n/json-schema-to-zod zod; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node check.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
json-schema-to-zod {"limit":5,"author":"Roe"} {"limit":5}
json-schema-to-zod {"limit":5,"author":"Roe"} {"limit":5,"author":"Roe"}
json-schema-to-zod "ab" "ab"
@n8n/json-schema-to-zod {"limit":5,"author":"Roe"} {"limit":5}
@n8n/json-schema-to-zod {"limit":5,"author":"Roe"} {"limit":5,"author":"Roe"}
@n8n/json-schema-to-zod "ab" "ab"
END
