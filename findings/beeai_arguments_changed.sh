#!/usr/bin/env bash
# BeeAI sends a tool of an MCP server other arguments than its model gave: the id "007" becomes 7, and null a text.
#
# Expected: arguments that fit the schema of a tool reach the server as they are, and those that do not are an error that
# the model can mend.
# Seen with beeai-framework 0.1.30, @modelcontextprotocol/sdk 1.32.2 and zod 3.25.76 (Node 20): where a parameter may be
# an integer or a string, a string of digits is a number; the default null of an optional text is "", which is a search
# for nothing; no limit (null) is 0. A text where a text or a list of texts may be is refused, though it fits.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts --legacy-peer-deps beeai-framework@0.1.30 @modelcontextprotocol/sdk@1.32.2 zod@3.25.76

cat > ask.mjs <<'END'
import { MCPTool } from 'beeai-framework/tools/mcp'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { ListToolsRequestSchema, CallToolRequestSchema } from '@modelcontextprotocol/sdk/types.js'
// A server with one tool, which says what it was sent.
const properties = {
  id: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  folder: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
  limit: { type: 'integer' },
  tags: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
}
const server = new Server({ name: 'notes', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: [{ name: 'find', inputSchema: { type: 'object', properties } }] }))
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({ content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }))
const client = new Client({ name: 'test', version: '1' })
const [left, right] = InMemoryTransport.createLinkedPair()
await server.connect(left)
await client.connect(right)
const [tool] = await MCPTool.fromClient(client)
for (const given of [{ id: '007' }, { id: 'A7', folder: null }, { id: 'A7' }, { limit: null }, { tags: 'tea' }]) {
  const seen = await tool.run(given).then(({ result }) => result.content[0].text, () => 'refused')
  console.log(JSON.stringify(given), '=>', seen)
}
process.exit(0)
END

for package in beeai-framework @modelcontextprotocol/sdk zod; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 120 node ask.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
{"id":"007"} => {"id":7,"folder":""}
{"id":"A7","folder":null} => {"id":"A7","folder":""}
{"id":"A7"} => {"id":"A7","folder":""}
{"limit":null} => {"limit":0,"folder":""}
{"tags":"tea"} => refused
END
