#!/usr/bin/env bash
# What a parameter is that may be null is lost on the way to the model in LangChain's and Google's clients for MCP.
#
# Expected: {"description": ..., "anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}, the form in
# which several languages write an optional date, reaches the model with its type, its format and its description.
# Seen with @langchain/mcp-adapters 1.1.4 and @google/adk 2.0.0 (Node 20): LangChain drops the alternatives, so that
# anything will do; ADK keeps a string that may be null and drops description and format. A choice of constants
# (oneOf) has the type TYPE_UNSPECIFIED in ADK, and what a definition ($ref) holds is an object without properties.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts --legacy-peer-deps @google/adk@2.0.0 @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 @langchain/langgraph@1.7.3 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const day = { description: 'The first day.', anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] }
const order = { description: 'Which first.', oneOf: [{ const: 'new' }, { const: 'old' }] }
const inputSchema = { type: 'object', properties: { day, order, place: { $ref: '#/$defs/Place' } }, $defs: { Place: { type: 'object', properties: { room: { type: 'string' } } } } }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  let result
  if (method === 'initialize') result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'days', version: '1' } }
  else if (method === 'tools/list') result = { tools: [{ name: 'days', description: 'Lists days.', inputSchema }] }
  else continue
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END

cat > ask.mjs <<'END'
import { MCPToolset } from '@google/adk'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
const server = { command: process.execPath, args: ['server.mjs'] }
const show = (name, { properties }) => { for (const key of ['day', 'order', 'place']) console.log(`${name} ${key}: ${JSON.stringify(properties[key])}`) }
const [langchain] = await new MultiServerMCPClient({ mcpServers: { s: { transport: 'stdio', ...server } } }).getTools()
show('langchain', langchain.schema)
const [adk] = await new MCPToolset({ type: 'StdioConnectionParams', serverParams: server }).getTools()
show('adk', adk._getDeclaration().parameters)
process.exit(0)
END

for package in @langchain/mcp-adapters @google/adk; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 120 node ask.mjs 2> log.txt | grep -E '^(langchain|adk) ' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
langchain day: {"description":"The first day."}
langchain order: {"description":"Which first."}
langchain place: {"type":"object","properties":{"room":{"type":"string"}}}
adk day: {"type":"STRING","nullable":true}
adk order: {"type":"TYPE_UNSPECIFIED","description":"Which first."}
adk place: {"type":"OBJECT","properties":{}}
END
