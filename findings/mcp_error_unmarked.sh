#!/usr/bin/env bash
# Two libraries give a model the result of a tool that failed as that of one that did not.
#
# Expected: `isError` of an MCP server's result reaches the model in the form that each library has for a tool of
# its own that throws: an output of the type "error-text", and the words that an error occurred.
# Seen with @ai-sdk/mcp 2.0.99 and @openai/agents 0.20.0 (Node 20): the output for the model is the same as without
# it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @ai-sdk/mcp@2.0.99 @openai/agents@0.20.0 zod@4.6.7

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = { jsonrpc: '2.0', id }
  if (method === 'initialize') answer.result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '1' } }
  else if (method === 'tools/list') answer.result = { tools: ['works', 'fails'].map((name) => ({ name, description: name, inputSchema: { type: 'object', properties: {} } })) }
  else if (method === 'tools/call') answer.result = { content: [{ type: 'text', text: 'Shelf 7.' }], isError: params.name === 'fails' }
  else answer.error = { code: -32601, message: 'unknown' }
  console.log(JSON.stringify(answer))
}
END

cat > ask.mjs <<'END'
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as Stdio } from '@ai-sdk/mcp/mcp-stdio'
import { Agent, MCPServerStdio, RunContext, getAllMcpTools } from '@openai/agents'
const server = { command: process.execPath, args: ['server.mjs'] }

for (const [name, tool] of Object.entries(await (await createMCPClient({ transport: new Stdio(server) })).tools())) {
  const output = await tool.execute({}, { toolCallId: '1', messages: [] })
  console.log(`ai-sdk ${name}: ${JSON.stringify(await tool.toModelOutput({ toolCallId: '1', input: {}, output }))}`)
}
const shelf = new MCPServerStdio({ name: 'shelf', ...server })
await shelf.connect()
for (const tool of await getAllMcpTools({ mcpServers: [shelf], runContext: new RunContext(), agent: new Agent({ name: 'a' }) })) {
  console.log(`openai ${tool.name}: ${JSON.stringify(await tool.invoke(new RunContext(), '{}'))}`)
}
process.exit(0)
END

for package in @ai-sdk/mcp @openai/agents; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 120 node ask.mjs 2> log.txt | grep -E '^(ai-sdk|openai) ' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
ai-sdk works: {"type":"content","value":[{"type":"text","text":"Shelf 7."}]}
ai-sdk fails: {"type":"content","value":[{"type":"text","text":"Shelf 7."}]}
openai works: {"type":"text","text":"Shelf 7."}
openai fails: {"type":"text","text":"Shelf 7."}
END
