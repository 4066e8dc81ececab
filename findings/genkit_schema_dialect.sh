#!/usr/bin/env bash
# Genkit cannot call a tool whose schema says that it is of JSON Schema 2020-12, the dialect of MCP.
#
# Expected: "$schema": "https://json-schema.org/draft/2020-12/schema", which MCP has as its default and several
# libraries write, changes nothing; keywords that a validator does not know are passed over, as JSON Schema says.
# Seen with genkit 1.42.0 and @genkit-ai/mcp 1.42.0 (Node 20): the model is offered the tool, and each call of it fails
# before the server is asked. So does one of a tool with an annotation of its own, with dependentRequired, which is
# of 2020-12, or with the format of an unsigned integer. The name of draft 7 does no harm.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts genkit@1.42.0 @genkit-ai/mcp@1.42.0

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const schemas = {
  draft7: { $schema: 'http://json-schema.org/draft-07/schema#' },
  draft2020: { $schema: 'https://json-schema.org/draft/2020-12/schema' },
  annotated: { 'x-order': 1 },
  dependent: { dependentRequired: { title: ['shelf'] } },
  unsigned: { properties: { title: { type: 'string' }, shelf: { type: 'integer', format: 'uint' } } },
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  let result = {}
  if (method === 'initialize') result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '1' } }
  if (method === 'tools/list') result = { tools: Object.entries(schemas).map(([name, more]) => ({ name, inputSchema: { type: 'object', ...more } })) }
  if (method === 'tools/call') result = { content: [{ type: 'text', text: 'Shelf 7.' }] }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END

cat > ask.mjs <<'END'
import { createMcpHost } from '@genkit-ai/mcp'
import { genkit } from 'genkit'
const host = createMcpHost({ name: 'host', mcpServers: { shelf: { command: process.execPath, args: ['server.mjs'] } } })
for (const tool of await host.getActiveTools(genkit({}))) {
  console.log(`${tool.__action.name}: ${await tool({}).catch(({ message }) => message)}`)
}
process.exit(0)
END

for package in genkit @genkit-ai/mcp; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 60 node ask.mjs 2> log.txt | grep '^shelf/' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
shelf/draft7: Shelf 7.
shelf/draft2020: no schema with key or ref "https://json-schema.org/draft/2020-12/schema"
shelf/annotated: strict mode: unknown keyword: "x-order"
shelf/dependent: strict mode: unknown keyword: "dependentRequired"
shelf/unsigned: unknown format "uint" ignored in schema at path "#/properties/shelf"
END
