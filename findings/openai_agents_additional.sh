#!/usr/bin/env bash
# The OpenAI Agents SDK tells a model that a tool of an MCP server takes any further arguments where its schema
# forbids them.
#
# Expected: the schema of a tool reaches the model as the server gives it, "additionalProperties": false included.
# Seen with @openai/agents 0.20.0 (Node 20): it is true for the model, so that a server that refuses unknown
# arguments, as it said, refuses calls that the model had reason to make.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @openai/agents@0.20.0 zod@4.6.7

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const inputSchema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'], additionalProperties: false }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = { jsonrpc: '2.0', id }
  if (method === 'initialize') answer.result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '1' } }
  else if (method === 'tools/list') answer.result = { tools: [{ name: 'shelf', description: 'Says where a book stands.', inputSchema }] }
  else answer.error = { code: -32601, message: 'unknown' }
  console.log(JSON.stringify(answer))
}
END

cat > ask.mjs <<'END'
import { Agent, MCPServerStdio, RunContext, getAllMcpTools } from '@openai/agents'
const server = new MCPServerStdio({ name: 'shelf', command: process.execPath, args: ['server.mjs'] })
await server.connect()
const [tool] = await getAllMcpTools({ mcpServers: [server], runContext: new RunContext(), agent: new Agent({ name: 'a' }) })
console.log(`strict: ${tool.strict}`)
console.log(JSON.stringify(tool.parameters))
process.exit(0)
END

node -p "'@openai/agents ' + JSON.parse(fs.readFileSync('node_modules/@openai/agents/package.json')).version"
timeout 120 node ask.mjs 2> log.txt > seen.txt
cat seen.txt
diff seen.txt - <<'END'
strict: false
{"type":"object","properties":{"title":{"type":"string"}},"required":["title"],"additionalProperties":true}
END
