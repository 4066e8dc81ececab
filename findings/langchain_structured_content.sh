#!/usr/bin/env bash
# What a model gets of structuredContent depends, in LangChain, on how many blocks of text are beside it.
#
# Expected: the model gets the text, the structure, or both, whatever their number: the specification has text that
# says the same beside the structure for clients that do not know it.
# Seen with @langchain/mcp-adapters 1.1.4 (Node 20): beside one text, text and structure are one JSON string for the
# model, so that it reads all twice; beside two texts, and beside none, the structure is for the program alone. An
# embedded resource is for the program alone, too, as it counts as no text.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts --legacy-peer-deps @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 @langchain/langgraph@1.7.3 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const text = (text) => ({ type: 'text', text })
const passage = { type: 'resource', resource: { uri: 'file:///a.md', mimeType: 'text/markdown', text: 'The passage.' } }
const contents = { none: [], one: [text('Shelf 7.')], two: [text('Shelf 7.'), text('It is blue.')], passage: [text('Shelf 7.'), passage] }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  let result = {}
  if (method === 'initialize') result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '1' } }
  if (method === 'tools/list') result = { tools: Object.keys(contents).map((name) => ({ name, description: name, inputSchema: { type: 'object', properties: {} } })) }
  if (method === 'tools/call') result = { content: contents[params.name], structuredContent: { shelf: 7 } }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END

cat > ask.mjs <<'END'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
const client = new MultiServerMCPClient({ mcpServers: { s: { transport: 'stdio', command: process.execPath, args: ['server.mjs'] } } })
for (const tool of await client.getTools()) {
  const message = await tool.invoke({ id: '1', type: 'tool_call', name: tool.name, args: {} })
  console.log(`langchain ${tool.name}: ${JSON.stringify(message.content)}`)
}
process.exit(0)
END

node -p "'@langchain/mcp-adapters ' + JSON.parse(fs.readFileSync('node_modules/@langchain/mcp-adapters/package.json')).version"
timeout 60 node ask.mjs 2> log.txt | grep '^langchain ' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
langchain none: []
langchain one: "{\"type\":\"text\",\"text\":\"Shelf 7.\",\"structuredContent\":{\"shelf\":7}}"
langchain two: [{"type":"text","text":"Shelf 7."},{"type":"text","text":"It is blue."}]
langchain passage: "{\"type\":\"text\",\"text\":\"Shelf 7.\",\"structuredContent\":{\"shelf\":7}}"
END
