#!/usr/bin/env bash
# mcp-use's proxy keeps neither the choices of a parameter nor the structured content of a result.
#
# Expected: a server that puts others together passes on their tools as they are, under another name.
# Seen with mcp-use 1.34.6 (Node 20): enum, default, bounds, anyOf and additionalProperties of parameters are gone, an
# integer is a number; so are title, annotations, outputSchema and structuredContent, the instructions of the server,
# and all but the first text of an error.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts --legacy-peer-deps mcp-use@1.34.6 react@19.2.0

cat > shelf.mjs <<'END'
import { createInterface } from 'node:readline'
const after = { description: 'Not before', anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] }
const properties = { kind: { enum: ['all', 'new'], type: 'string', default: 'all' }, limit: { type: 'integer', maximum: 50 }, after }
const tool = {
  name: 'find', title: 'Find', description: 'Finds it', annotations: { readOnlyHint: true },
  inputSchema: { type: 'object', properties, required: ['kind'], additionalProperties: false },
  outputSchema: { type: 'object', properties: { shelf: { type: 'integer' } } },
}
const text = (text) => ({ type: 'text', text })
const found = { content: [text('Shelf 7.')], structuredContent: { shelf: 7 } }
const failed = { isError: true, content: [text('No such kind.'), text('There are all and new.')] }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = { jsonrpc: '2.0', id }
  if (method === 'initialize') answer.result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '1' }, instructions: 'Ask for a kind.' }
  else if (method === 'tools/list') answer.result = { tools: [tool] }
  else if (method === 'tools/call') answer.result = params.arguments.kind === 'all' ? found : failed
  else answer.error = { code: -32601, message: 'unknown' }
  console.log(JSON.stringify(answer))
}
END
cat > ask.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { MCPServer } from 'mcp-use/server'
import { createServer } from 'node:net'
const ask = async (name, tool, transport) => {
  const client = new Client({ name: 'c', version: '1' })
  await client.connect(transport)
  const { inputSchema, execution, ...more } = (await client.listTools()).tools[0]
  const { $schema, ...parameters } = inputSchema
  console.log(`seen ${name}: ${JSON.stringify(more)}`)
  console.log(`seen   ${JSON.stringify(parameters)} ${client.getInstructions()}`)
  for (const kind of ['all', 'old']) console.log(`seen   ${JSON.stringify(await client.callTool({ name: tool, arguments: { kind } }))}`)
}
const child = { command: process.execPath, args: ['shelf.mjs'] }
await ask('shelf', 'find', new StdioClientTransport(child))
const free = createServer().listen(0, '127.0.0.1')
await new Promise((resolve) => free.once('listening', resolve))
const { port } = free.address()
await new Promise((resolve) => free.close(resolve))
const server = new MCPServer({ name: 'proxy', version: '1' })
await server.proxy({ home: child })
await server.listen(port)
const address = new URL(`http://127.0.0.1:${port}/mcp`)
while (!await fetch(address, { method: 'DELETE' }).catch(() => false)) await new Promise((resolve) => setTimeout(resolve, 100))
await ask('proxy', 'home_find', new StreamableHTTPClientTransport(address))
process.exit(0)
END

node -p "'mcp-use ' + JSON.parse(fs.readFileSync('node_modules/mcp-use/package.json')).version"
timeout 60 node ask.mjs 2> log.txt | grep '^seen ' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
seen shelf: {"name":"find","title":"Find","description":"Finds it","outputSchema":{"type":"object","properties":{"shelf":{"type":"integer"}}},"annotations":{"readOnlyHint":true}}
seen   {"type":"object","properties":{"kind":{"enum":["all","new"],"type":"string","default":"all"},"limit":{"type":"integer","maximum":50},"after":{"description":"Not before","anyOf":[{"type":"string","format":"date"},{"type":"null"}]}},"required":["kind"],"additionalProperties":false} Ask for a kind.
seen   {"content":[{"type":"text","text":"Shelf 7."}],"structuredContent":{"shelf":7}}
seen   {"content":[{"type":"text","text":"No such kind."},{"type":"text","text":"There are all and new."}],"isError":true}
seen proxy: {"name":"home_find","description":"Finds it"}
seen   {"type":"object","properties":{"kind":{"type":"string"},"limit":{"type":"number"},"after":{"description":"Not before"}},"required":["kind"]} undefined
seen   {"content":[{"type":"text","text":"Shelf 7."}]}
seen   {"content":[{"type":"text","text":"No such kind."}],"isError":true}
END
