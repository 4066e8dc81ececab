#!/usr/bin/env bash
# mcporter prints passages without their citations where a passage is a resource of Markdown.
#
# Expected: a citation as text and its passage as an embedded resource are printed both, in their order, and so is a
# link to the document.
# Seen with mcporter 0.12.3 (Node 20): one resource of Markdown in a result is enough to leave out all texts. Beside
# one of plain text they are printed. A link is left out in any case, with its name and its URI.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export HOME=$folder XDG_CONFIG_HOME=$folder
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts mcporter@0.12.3

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const cited = (n, block) => [{ type: 'text', text: `[${n}] plan.md, line ${n}` }, block]
const passage = (n, mimeType) => cited(n, { type: 'resource', resource: { uri: `file:///plan.md#L${n}`, mimeType, text: `Passage ${n}.` } })
const contents = {
  markdown: [...passage(1, 'text/markdown'), ...passage(2, 'text/markdown')],
  plain: [...passage(1, 'text/plain'), ...passage(2, 'text/plain')],
  link: cited(1, { type: 'resource_link', uri: 'file:///plan.md', name: 'plan.md' }),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  let result = {}
  if (method === 'initialize') result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'plans', version: '1' } }
  if (method === 'tools/list') result = { tools: Object.keys(contents).map((name) => ({ name, inputSchema: { type: 'object' } })) }
  if (method === 'tools/call') result = { content: contents[params.name] }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END
printf '{"mcpServers": {"plans": {"command": "node", "args": ["server.mjs"]}}}\n' > mcp.json

node -p "'mcporter ' + JSON.parse(fs.readFileSync('node_modules/mcporter/package.json')).version"
for tool in markdown plain link; do
  echo "$tool:"
  timeout 60 node_modules/.bin/mcporter call --config mcp.json "plans.$tool" 2> log.txt
done > seen.txt
cat seen.txt
diff seen.txt - <<'END'
markdown:
Passage 1.
Passage 2.
plain:
[1] plan.md, line 1
Passage 1.
[2] plan.md, line 2
Passage 2.
link:
[1] plan.md, line 1
END
