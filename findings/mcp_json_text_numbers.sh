#!/usr/bin/env bash
# Two clients read the text of a result that happens to be JSON, and write other numbers in its place.
#
# Expected: text reaches model and terminal as the server sent it, as any other text does.
# Seen with @genkit-ai/mcp 1.42.0 and mcporter 0.12.3 (Node 20): a long number in it gets another end, so that a record
# with that number is not found, and 2.50 becomes 2.5. Text that is no object or list stays: 007.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder XDG_CONFIG_HOME=$folder
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts genkit@1.42.0 @genkit-ai/mcp@1.42.0 mcporter@0.12.3

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const texts = { record: '{"id": 9007199254740993, "dose": 2.50}', number: '007' }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  let result = {}
  if (method === 'initialize') result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
  if (method === 'tools/list') result = { tools: Object.keys(texts).map((name) => ({ name, inputSchema: { type: 'object' } })) }
  if (method === 'tools/call') result = { content: [{ type: 'text', text: texts[params.name] }] }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END
printf '{"mcpServers": {"s": {"command": "node", "args": ["server.mjs"]}}}\n' > mcp.json

cat > ask.mjs <<'END'
import { createMcpHost } from '@genkit-ai/mcp'
import { genkit } from 'genkit'
const host = createMcpHost({ name: 'host', mcpServers: { s: { command: process.execPath, args: ['server.mjs'] } } })
for (const tool of await host.getActiveTools(genkit({}))) console.log(`genkit ${tool.__action.name}: ${JSON.stringify(await tool({}))}`)
process.exit(0)
END

for package in @genkit-ai/mcp mcporter; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
{
  timeout 60 node ask.mjs 2> log.txt | grep '^genkit '
  for tool in record number; do
    echo "mcporter s/$tool: $(timeout 60 node_modules/.bin/mcporter call --config mcp.json "s.$tool" 2> log.txt | tr -d '\n')"
  done
} > seen.txt
cat seen.txt
diff seen.txt - <<'END'
genkit s/record: {"id":9007199254740992,"dose":2.5}
genkit s/number: "007"
mcporter s/record: {  "id": 9007199254740992,  "dose": 2.5}
mcporter s/number: 007
END
