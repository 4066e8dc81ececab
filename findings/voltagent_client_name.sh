#!/usr/bin/env bash
# VoltAgent tells an MCP server that its client has the name that the server has in the program.
#
# Expected: the name of the client in `initialize` is that of the library or of the program, the same
# for every server that it connects to.
# Seen with @voltagent/core 2.10.0 (Node 20): it is the key of the server in MCPConfiguration, with the
# version 1.0.0, so two servers are told of two clients by one program.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @voltagent/core@2.10.0 ai@6.0.326 zod@4.6.7

# A server with one tool, which says who asks.
cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
let client
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  let result
  if (method === 'initialize') {
    client = `${params.clientInfo.name} ${params.clientInfo.version}`
    result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'who', version: '1' } }
  } else if (method === 'tools/list') {
    result = { tools: [{ name: 'who', description: 'Says who asks.', inputSchema: { type: 'object', properties: {} } }] }
  } else if (method === 'tools/call') {
    result = { content: [{ type: 'text', text: client }] }
  } else continue
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END

cat > ask.mjs <<'END'
import { MCPConfiguration } from '@voltagent/core'
const server = { type: 'stdio', command: process.execPath, args: ['server.mjs'] }
const all = new MCPConfiguration({ servers: { garden: server, kitchen: server } })
for (const tool of (await all.getTools()).sort((a, b) => a.name.localeCompare(b.name))) {
  const { content } = await tool.execute({})
  console.log(`${tool.name}: ${content[0].text}`)
}
await all.disconnect()
process.exit(0)
END

node -p "'@voltagent/core ' + JSON.parse(fs.readFileSync('node_modules/@voltagent/core/package.json')).version"
timeout 120 node ask.mjs 2> log.txt | grep _who: > seen.txt
cat seen.txt
diff seen.txt - <<'END'
garden_who: garden 1.0.0
kitchen_who: kitchen 1.0.0
END
