#!/usr/bin/env bash
# mcp-lite tells a client nothing of the progress of a call if its token is 0.
#
# Expected: the progressToken of MCP is a text or a whole number that a client has chosen; 0 is one, and the first that a
# client has which counts its calls from 0.
# Seen with mcp-lite 0.10.0 (Node 20): with 0 the tool has no function to tell its progress, so that `context.progress?.`
# does nothing and a call of `context.progress` fails; with 1 and "0" each step is told. A client that waits for progress
# ends a long call as one that hangs.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts mcp-lite@0.10.0

cat > read.mjs <<'END'
import { McpServer, StreamableHttpTransport } from 'mcp-lite'

const server = new McpServer({ name: 'notes', version: '1' })
server.tool('index', {
  description: 'Reads all notes',
  handler: async (_, context) => {
    await context.progress?.({ progress: 1, total: 2 })
    await context.progress?.({ progress: 2, total: 2 })
    return { content: [{ type: 'text', text: 'done' }] }
  }
})
const handle = new StreamableHttpTransport().bind(server)
for (const progressToken of [0, 1, '0']) {
  const answer = await handle(new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'index', arguments: {}, _meta: { progressToken } } })
  }))
  const told = (await answer.text()).split('\n').filter((line) => line.includes('notifications/progress'))
  console.log(`token ${JSON.stringify(progressToken)}: told ${told.length} times`)
}
END

node -p "'mcp-lite ' + JSON.parse(fs.readFileSync('node_modules/mcp-lite/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
token 0: told 0 times
token 1: told 2 times
token "0": told 2 times
END
