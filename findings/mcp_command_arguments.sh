#!/usr/bin/env bash
# Two command lines for MCP send a tool other arguments than they were given, against its schema.
#
# Expected: a value is of the type that the schema has: a string stays one, "x" for a number is an error.
# Seen with @modelcontextprotocol/inspector 2.12.0 and mcporter 0.12.3 (Node 20): the Inspector makes a number of the
# string "5", null of what is no number, and false of "yes" for a boolean, so that a server is found to refuse what it
# takes, or the reverse. mcporter makes the string "true" a boolean, and leaves "x" and "yes" as they are.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder XDG_CONFIG_HOME=$folder
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @modelcontextprotocol/inspector@2.12.0 mcporter@0.12.3

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const properties = { text: { type: 'string' }, limit: { type: 'integer' }, exact: { type: 'boolean' } }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  let result = {}
  if (method === 'initialize') result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
  if (method === 'tools/list') result = { tools: [{ name: 'find', inputSchema: { type: 'object', properties } }] }
  if (method === 'tools/call') result = { content: [{ type: 'text', text: `sent ${JSON.stringify(params.arguments)}` }] }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END
printf '{"mcpServers": {"s": {"command": "node", "args": ["server.mjs"]}}}\n' > mcp.json

for package in @modelcontextprotocol/inspector mcporter; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
{
  timeout 60 node_modules/.bin/mcp-inspector --cli node server.mjs --method tools/call --tool-name find \
    --tool-arg text=5 limit=x exact=yes 2> log.txt | node -p '`inspector ${JSON.parse(fs.readFileSync(0)).content[0].text}`'
  echo "mcporter $(timeout 60 node_modules/.bin/mcporter call --config mcp.json s.find text=true limit=x exact=yes 2> log.txt)"
} > seen.txt
cat seen.txt
diff seen.txt - <<'END'
inspector sent {"text":5,"limit":null,"exact":false}
mcporter sent {"text":true,"limit":"x","exact":"yes"}
END
