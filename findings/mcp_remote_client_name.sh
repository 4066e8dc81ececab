#!/usr/bin/env bash
# mcp-remote changes the name of the client that it connects to a server.
#
# Expected: a bridge between stdio and HTTP passes `initialize` on as it comes, so a server that knows
# a client by its name does so behind the bridge, too.
# Seen with mcp-remote 0.15.1 (Node 20): the name ends with "(via mcp-remote 0.15.1)" there, and so is
# neither the client's nor the same after an update of the bridge. Version and capabilities are kept.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error mcp-remote@0.15.1

# A server on the loopback address that keeps how a client is called, and a client behind the bridge.
cat > meet.mjs <<'END'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

let met
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += part
  const message = request.method === 'POST' ? JSON.parse(body) : {}
  if (message.method !== 'initialize') {
    response.writeHead(request.method === 'POST' ? 202 : 405).end()
    return
  }
  met = message.params
  const result = { protocolVersion: met.protocolVersion, capabilities: {}, serverInfo: { name: 'desk', version: '1' } }
  response.setHeader('Content-Type', 'application/json')
  response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
})
await new Promise((ready) => server.listen(0, '127.0.0.1', ready))

const url = `http://127.0.0.1:${server.address().port}/mcp`
const bridge = spawn(process.execPath, ['node_modules/mcp-remote/dist/proxy.js', url, '--allow-http', '--transport', 'http-only'], { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, MCP_REMOTE_CONFIG_DIR: process.cwd() } })
const params = { protocolVersion: '2025-06-18', capabilities: { roots: {} }, clientInfo: { name: 'librarian', version: '7' } }
bridge.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }) + '\n')
for await (const line of createInterface({ input: bridge.stdout })) if (JSON.parse(line).id === 1) break
console.log(`name: ${met.clientInfo.name}`)
console.log(`version: ${met.clientInfo.version}`)
console.log(`capabilities: ${JSON.stringify(met.capabilities)}`)
bridge.kill()
process.exit(0)
END

node -p "'mcp-remote ' + JSON.parse(fs.readFileSync('node_modules/mcp-remote/package.json')).version"
timeout 120 node meet.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
name: librarian (via mcp-remote 0.15.1)
version: 7
capabilities: {"roots":{}}
END
