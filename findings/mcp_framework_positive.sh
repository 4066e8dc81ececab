#!/usr/bin/env bash
# mcp-framework tells a model that a positive number is at least 1, so that no dose of 0.5 is asked for.
#
# Expected: z.number().positive() is {"exclusiveMinimum": 0} in JSON Schema 2020-12, the dialect of MCP, as zod's own
# z.toJSONSchema has it; an object is an object, and a choice of two words has both.
# Seen with mcp-framework 0.2.22 and zod 3.25.76 (Node 20): it is {"minimum": 1, "exclusiveMinimum": true}, which is
# more than 1 in the old draft that has such a true, and no schema in this one. What it has no case for, a record, a
# pair, a number or a string, one of two words, is a string, and the tool refuses the string that it asked for. Steps
# of 0.5 and null are gone.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts mcp-framework@0.2.22 zod@3.25.76

cat > tool.mjs <<'END'
import { MCPTool } from 'mcp-framework'
import { z } from 'zod'
import * as z4 from 'zod/v4'
const fields = (z) => ({
  dose: z.number().positive().describe('Dose in mg'),
  below: z.number().lt(10).describe('Less than this'),
  step: z.number().multipleOf(0.5).describe('Half tablets'),
  kind: z.union([z.literal('all'), z.literal('new')]).describe('Which of them'),
  where: z.record(z.string(), z.string()).describe('Fields and values'),
  range: z.tuple([z.number(), z.number()]).describe('From and to'),
})
class Find extends MCPTool {
  name = 'find'
  description = 'Finds it'
  schema = z.object(fields(z))
  async execute(input) { return JSON.stringify(input) }
}
const find = new Find()
const expected = z4.toJSONSchema(z4.object(fields(z4))).properties
for (const [name, schema] of Object.entries(find.inputSchema.properties)) {
  for (const each of [schema, expected[name]]) delete each.description
  console.log(`${name}: ${JSON.stringify(schema)}, zod: ${JSON.stringify(expected[name])}`)
}
const rest = { below: 5, step: 1, kind: 'all', range: [1, 2] }
for (const more of [{ dose: 0.5, where: { ward: 'A' } }, { dose: 0.5, where: 'ward A' }]) {
  const { isError, content } = await find.toolCall({ params: { name: 'find', arguments: { ...rest, ...more } } })
  console.log(`${JSON.stringify(more)}: ${content[0].type === 'error' || isError ? 'refused' : 'taken'}`)
}
END

for name in mcp-framework zod; do node -p "'$name ' + JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version"; done
node tool.mjs > seen.txt 2> log.txt
cat seen.txt
diff seen.txt - <<'END'
dose: {"type":"number","minimum":1,"exclusiveMinimum":true}, zod: {"type":"number","exclusiveMinimum":0}
below: {"type":"number","maximum":10,"exclusiveMaximum":true}, zod: {"type":"number","exclusiveMaximum":10}
step: {"type":"number"}, zod: {"type":"number","multipleOf":0.5}
kind: {"type":"string"}, zod: {"anyOf":[{"type":"string","const":"all"},{"type":"string","const":"new"}]}
where: {"type":"string"}, zod: {"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"type":"string"}}
range: {"type":"string"}, zod: {"type":"array","prefixItems":[{"type":"number"},{"type":"number"}]}
{"dose":0.5,"where":{"ward":"A"}}: taken
{"dose":0.5,"where":"ward A"}: refused
END
