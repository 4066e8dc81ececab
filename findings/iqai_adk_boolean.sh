#!/usr/bin/env bash
# ADK-TS does not tell its model what a boolean of a tool is for, and says that an optional date is an object.
#
# Expected: what a parameter is and its description reach the model, whatever its type.
# Seen with @iqai/adk 0.5.9 (Node 20): of a boolean nothing but its type is left; anyOf and $ref get the type OBJECT beside
# them, which is none of what they allow. Defaults and exclusive bounds are gone. A tool whose name has a hyphen is left
# out, and so is one whose description has less than three characters, as 查找 (find), with a line in the log.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts --legacy-peer-deps @iqai/adk@0.5.9 langfuse@3.38.5

cat > shelf.js <<'END'
const { createInterface } = require('node:readline')
const properties = {
  exact: { type: 'boolean', description: 'These words only', default: true },
  limit: { type: 'integer', description: 'How many', default: 5, exclusiveMaximum: 50 },
  after: { description: 'Not before', anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
  shelf: { $ref: '#/$defs/shelf' },
}
const inputSchema = { type: 'object', properties, $defs: { shelf: { type: 'string', description: 'Which shelf' } } }
const tools = [['find', 'Finds it'], ['find-again', 'Finds it again'], ['find_zh', '查找']].map(([name, description]) => ({ name, description, inputSchema }))
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const answer = { jsonrpc: '2.0', id }
  if (method === 'initialize') answer.result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '1' } }
  else if (method === 'tools/list') answer.result = { tools }
  else answer.error = { code: -32601, message: 'unknown' }
  console.log(JSON.stringify(answer))
})
END
cat > ask.js <<'END'
const { McpToolset } = require('@iqai/adk')
async function main() {
  const toolset = new McpToolset({ name: 'shelf', description: 'A shelf', transport: { mode: 'stdio', command: process.execPath, args: ['shelf.js'] } })
  for (const tool of await toolset.getTools()) {
    console.log(`seen ${tool.name}`)
    for (const [name, schema] of Object.entries(tool.getDeclaration().parameters.properties)) console.log(`seen   ${name}: ${JSON.stringify(schema)}`)
  }
  process.exit(0)
}
main()
END

node -p "'@iqai/adk ' + JSON.parse(fs.readFileSync('node_modules/@iqai/adk/package.json')).version"
timeout 60 node ask.js 2> log.txt | grep '^seen ' > seen.txt
cat seen.txt
grep -o 'Tool description for "find_zh" is too short\|Invalid tool name: "find-again"' log.txt | sort -u >> seen.txt
diff seen.txt - <<'END'
seen find
seen   exact: {"type":"BOOLEAN"}
seen   limit: {"type":"integer","description":"How many"}
seen   after: {"description":"Not before","anyOf":[{"type":"string","format":"date"},{"type":"null"}],"type":"OBJECT"}
seen   shelf: {"$ref":"#/$defs/shelf","type":"OBJECT"}
Invalid tool name: "find-again"
Tool description for "find_zh" is too short
END
