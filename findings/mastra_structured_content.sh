#!/usr/bin/env bash
# Mastra gives its model only the structuredContent of a tool without an outputSchema, and of one with it, the text.
#
# Expected: the model gets the text of a result, the structure, or both, by the same rule for every tool.
# Seen with @mastra/mcp 2.0.0 and @mastra/core 1.71.0 (Node 20): an outputSchema turns it around, and a passage in an
# embedded resource is lost in both cases. Without structuredContent the model gets all blocks.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts --legacy-peer-deps @mastra/mcp@2.0.0 @mastra/core@1.71.0 zod@4.6.7

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const passage = { type: 'resource', resource: { uri: 'file:///a.md', mimeType: 'text/markdown', text: 'The passage.' } }
const content = [{ type: 'text', text: 'Shelf 7.' }, passage]
const structuredContent = { shelf: 7 }
const outputSchema = { type: 'object', properties: { shelf: { type: 'integer' } }, required: ['shelf'] }
const tools = { plain: [{}, { content }], structured: [{}, { content, structuredContent }], promised: [{ outputSchema }, { content, structuredContent }] }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = { jsonrpc: '2.0', id }
  if (method === 'initialize') answer.result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '1' } }
  else if (method === 'tools/list') answer.result = { tools: Object.entries(tools).map(([name, [more]]) => ({ name, description: name, inputSchema: { type: 'object', properties: {} }, ...more })) }
  else if (method === 'tools/call') answer.result = tools[params.name][1]
  else answer.error = { code: -32601, message: 'unknown' }
  console.log(JSON.stringify(answer))
}
END

# The model gets what toModelOutput makes of a result, and the result as it is where a tool has no such function.
cat > ask.mjs <<'END'
import { MCPClient } from '@mastra/mcp'
const client = new MCPClient({ servers: { s: { command: process.execPath, args: ['server.mjs'] } } })
for (const [name, tool] of Object.entries(await client.listTools())) {
  const result = await tool.execute({}, {})
  console.log(`mastra ${name.slice(2)}: ${JSON.stringify(tool.toModelOutput ? await tool.toModelOutput(result) : result)}`)
}
process.exit(0)
END

for package in @mastra/mcp @mastra/core; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 60 node ask.mjs 2> log.txt | grep '^mastra ' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
mastra plain: {"content":[{"type":"text","text":"Shelf 7."},{"type":"resource","resource":{"uri":"file:///a.md","mimeType":"text/markdown","text":"The passage."}}]}
mastra structured: {"shelf":7}
mastra promised: {"type":"text","value":"Shelf 7."}
END
