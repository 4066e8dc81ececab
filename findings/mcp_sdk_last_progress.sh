#!/usr/bin/env bash
# The TypeScript SDK loses the progress that a server tells right before its result.
#
# Expected: notifications/progress that a server sent before the result of a call reaches onprogress: the order on
# the wire is kept.
# Seen with @modelcontextprotocol/sdk 1.32.2 (Node 20): where both arrive in one piece, as they do when a server writes
# one after the other, the result ends the call first, and the progress is an error of the client, "for an unknown
# token", so that a bar of progress stands at half. Apart by a moment, both reach it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @modelcontextprotocol/sdk@1.32.2

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
const send = (...messages) => process.stdout.write(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'work', version: '1' } } })
  if (method !== 'tools/call') continue
  const progress = (progress) => ({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress, total: 2 } })
  const result = { id, result: { content: [] } }
  send(progress(1))
  await wait(500)
  if (params.name === 'together') send(progress(2), result)
  else {
    send(progress(2))
    await wait(500)
    send(result)
  }
}
END

cat > ask.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { setTimeout as wait } from 'node:timers/promises'
const client = new Client({ name: 'librarian', version: '1' })
client.onerror = ({ message }) => console.log(message.replace(/:.*/, ''))
await client.connect(new StdioClientTransport({ command: process.execPath, args: ['server.mjs'] }))
for (const name of ['apart', 'together']) {
  const seen = []
  await client.callTool({ name, arguments: {} }, undefined, { onprogress: ({ progress }) => seen.push(progress) })
  await wait(500)
  console.log(`${name}: ${seen.join(', ')}`)
}
process.exit(0)
END

node -p "'@modelcontextprotocol/sdk ' + JSON.parse(fs.readFileSync('node_modules/@modelcontextprotocol/sdk/package.json')).version"
timeout 60 node ask.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
apart: 1, 2
Received a progress notification for an unknown token
together: 1
END
