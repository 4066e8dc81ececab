#!/usr/bin/env bash
# Genkit joins the blocks of text of an MCP server's result with nothing between them.
#
# Expected: blocks reach the model as parts of their own, or apart by a line, as a server gives one passage in each.
# Seen with genkit 1.42.0 and @genkit-ai/mcp 1.42.0 (Node 20): "Dose: 5" and "10 tablets are left" are one word, "Dose:
# 510 tablets are left". With any other block beside them, the model gets the whole result as JSON, blocks apart.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts genkit@1.42.0 @genkit-ai/mcp@1.42.0

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const content = ['Dose: 5', '10 tablets are left'].map((text) => ({ type: 'text', text }))
const link = { type: 'resource_link', uri: 'file:///box.md', name: 'box' }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  let result = {}
  if (method === 'initialize') result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'box', version: '1' } }
  if (method === 'tools/list') result = { tools: ['texts', 'linked'].map((name) => ({ name, inputSchema: { type: 'object' } })) }
  if (method === 'tools/call') result = { content: params.name === 'linked' ? [...content, link] : content }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END

cat > ask.mjs <<'END'
import { createMcpHost } from '@genkit-ai/mcp'
import { genkit } from 'genkit'
const host = createMcpHost({ name: 'host', mcpServers: { box: { command: process.execPath, args: ['server.mjs'] } } })
for (const tool of await host.getActiveTools(genkit({}))) console.log(`${tool.__action.name}: ${JSON.stringify(await tool({}))}`)
process.exit(0)
END

for package in genkit @genkit-ai/mcp; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 60 node ask.mjs 2> log.txt | grep '^box/' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
box/texts: "Dose: 510 tablets are left"
box/linked: {"content":[{"type":"text","text":"Dose: 5"},{"type":"text","text":"10 tablets are left"},{"name":"box","uri":"file:///box.md","type":"resource_link"}]}
END
