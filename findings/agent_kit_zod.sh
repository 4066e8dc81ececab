#!/usr/bin/env bash
# Inngest's AgentKit cannot ask a model once it knows a tool of an MCP server.
#
# Expected: an agent with mcpServers offers their tools to its model, as the readme shows it.
# Seen with @inngest/agent-kit 0.13.2 and the zod 4 that it asks for (Node 20): it has a library make a schema of zod 3
# of the tool's parameters, and zod 4 write that as JSON Schema, which ends with "Cannot read properties of undefined"
# before the model is asked. So it is for OpenAI's, Anthropic's and Google's models, and for a tool without parameters.
# Without the server, the model is asked.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @inngest/agent-kit@0.13.2 inngest@4.24.0 zod@4.6.7

cat > ask.mjs <<'END'
import { anthropic, createAgent, gemini, openai } from '@inngest/agent-kit'
import { createServer } from 'node:http'
let asked
const server = createServer(async (request, response) => {
  let body = ''
  for await (const piece of request) body += piece
  response.setHeader('content-type', 'application/json')
  if (!request.url.startsWith('/mcp')) { // the model, whose answer is of no interest here
    asked = true
    response.end('{}')
    return
  }
  const { id, method, params } = request.method === 'POST' ? JSON.parse(body) : {}
  if (id === undefined) {
    response.statusCode = request.method === 'POST' ? 202 : 405
    response.end()
    return
  }
  let result = {}
  if (method === 'initialize') result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
  if (method === 'tools/list') result = { tools: [{ name: 'ping', description: 'Says pong', inputSchema: { type: 'object', properties: {} } }] }
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${server.address().port}`
const settings = { model: 'm', apiKey: 'x', baseUrl: `${base}/v1/`, defaultParameters: { max_tokens: 10 } }
for (const [name, model] of Object.entries({ openai: openai(settings), anthropic: anthropic(settings), gemini: gemini(settings) })) {
  for (const mcpServers of [[], [{ name: 's', transport: { type: 'streamable-http', url: `${base}/mcp` } }]]) {
    asked = false
    let error
    await createAgent({ name: 'a', system: 'Be kind.', model, mcpServers }).run('Ping').catch((caught) => { error = caught.message })
    console.log(`${name}, ${mcpServers.length} servers: ${asked ? 'asked' : error}`)
  }
}
process.exit(0)
END

for package in @inngest/agent-kit zod; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 60 node ask.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
openai, 0 servers: asked
openai, 1 servers: Cannot read properties of undefined (reading 'def')
anthropic, 0 servers: asked
anthropic, 1 servers: Cannot read properties of undefined (reading 'def')
gemini, 0 servers: asked
gemini, 1 servers: Cannot read properties of undefined (reading 'def')
END
