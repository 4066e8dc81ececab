#!/usr/bin/env bash
# Two libraries give a model nothing of a result that has structuredContent and no text.
#
# Expected: both know structuredContent, as it is in what they parse, and give the model its JSON where there is nothing
# else; the specification only recommends that text says the same.
# Seen with @ai-sdk/mcp 2.0.99 and @strands-agents/sdk 1.19.0 (Node 20): the first gives an empty list, the second the
# words that the tool was successful and had no output, so that the model says that nothing was found.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts --legacy-peer-deps @ai-sdk/mcp@2.0.99 @strands-agents/sdk@1.19.0 @opentelemetry/api@1.9.0 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const outputSchema = { type: 'object', properties: { shelf: { type: 'integer' } }, required: ['shelf'] }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = { jsonrpc: '2.0', id }
  if (method === 'initialize') answer.result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '1' } }
  else if (method === 'tools/list') answer.result = { tools: [{ name: 'shelf', description: 'Says where a book is.', inputSchema: { type: 'object', properties: {} }, outputSchema }] }
  else if (method === 'tools/call') answer.result = { content: [], structuredContent: { shelf: 7 } }
  else answer.error = { code: -32601, message: 'unknown' }
  console.log(JSON.stringify(answer))
}
END

cat > ask.mjs <<'END'
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { McpClient } from '@strands-agents/sdk'
const server = { command: process.execPath, args: ['server.mjs'] }

const { shelf } = await (await createMCPClient({ transport: new Stdio(server) })).tools()
const output = await shelf.execute({}, { toolCallId: '1', messages: [] })
console.log(`ai-sdk: ${JSON.stringify(await shelf.toModelOutput({ toolCallId: '1', input: {}, output }))}`)

const [tool] = await new McpClient({ transport: new StdioClientTransport(server) }).listTools()
const run = tool.stream({ toolUse: { name: 'shelf', toolUseId: '1', input: {} }, agent: {}, invocationState: {} })
let step
do step = await run.next(); while (!step.done)
console.log(`strands: ${JSON.stringify(step.value)}`)
process.exit(0)
END

for package in @ai-sdk/mcp @strands-agents/sdk; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 60 node ask.mjs 2> log.txt | grep -E '^(ai-sdk|strands): ' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
ai-sdk: {"type":"content","value":[]}
strands: {"toolResult":{"toolUseId":"1","status":"success","content":[{"text":"Tool execution completed successfully with no output."}]}}
END
