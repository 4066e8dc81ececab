#!/usr/bin/env bash
# Behind supergateway a server is told of another client, and of another version of the protocol,
# than it just shook hands with.
#
# Expected: after `initialize` a call of a tool reaches a server that knows the name of the client and
# the version of the protocol that were agreed on.
# Seen with supergateway 4.0.0 (stdio to Streamable HTTP, as it is without --stateful) and
# @modelcontextprotocol/sdk 1.32.2 (Node 20): each POST starts a server of its own. The one that answers
# `initialize` is told the name and version of the client; the one that answers the call is told that
# the client is supergateway and speaks 2024-11-05. With --stateful both are those of the client.
set -euo pipefail

folder=$(mktemp -d)
gateway=
trap '[ -z "$gateway" ] || kill "$gateway" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error supergateway@4.0.0 @modelcontextprotocol/sdk@1.32.2

# A server with one tool, which says who asks.
cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
let client
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  let result
  if (method === 'initialize') {
    client = `${params.clientInfo.name}, ${params.protocolVersion}`
    result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'who', version: '1' }, instructions: client }
  } else if (method === 'tools/call') {
    result = { content: [{ type: 'text', text: client }] }
  } else continue
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END

cat > ask.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
const client = new Client({ name: 'librarian', version: '1' })
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])))
console.log(`initialize: ${client.getInstructions()}`)
const { content } = await client.callTool({ name: 'who', arguments: {} })
console.log(`call: ${content[0].text}`)
process.exit(0)
END

for package in supergateway @modelcontextprotocol/sdk; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
port() { node -e "const s = net.createServer().listen(0, '127.0.0.1', () => { console.log(s.address().port); s.close() })"; }
for option in '' --stateful; do
  at=$(port)
  node node_modules/supergateway/dist/index.js --stdio 'node server.mjs' --outputTransport streamableHttp \
    --port "$at" --healthEndpoint /ready --logLevel none $option > gateway.log 2>&1 &
  gateway=$!
  for _ in $(seq 300); do curl -sf "http://127.0.0.1:$at/ready" > ready.txt && break || sleep 0.1; done
  echo "supergateway $option" | sed 's/ $//'
  node ask.mjs "http://127.0.0.1:$at/mcp"
  kill "$gateway"
  wait "$gateway" 2> wait.log || true
  gateway=
done > seen.txt
cat seen.txt
diff seen.txt - <<'END'
supergateway
initialize: librarian, 2025-11-25
call: supergateway, 2024-11-05
supergateway --stateful
initialize: librarian, 2025-11-25
call: librarian, 2025-11-25
END
