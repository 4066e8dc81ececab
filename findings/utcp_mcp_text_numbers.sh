#!/usr/bin/env bash
# UTCP makes the number 0 of an empty text of an MCP server, and 7 of the shelf mark 007.
#
# Expected: the text of a tool reaches whoever called it as it is, and a call that failed (isError) is told from one
# that did not.
# Seen with @utcp/mcp 1.1.3 and @utcp/sdk 1.1.2 (Node 20): a text that can be a number is one, also without JSON: 1.50
# becomes 1.5, the end of a long record number is another, and no text at all is 0, so that "nothing found" is an
# answer. The words of an error are a result like any other. structuredContent is dropped, beside a text and alone: it
# looks for "structured_output".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @utcp/mcp@1.1.3 @utcp/sdk@1.1.2

cat > shelf.mjs <<'END'
import { createInterface } from 'node:readline'
const text = (text) => ({ content: [{ type: 'text', text }] })
const results = {
  words: text('Shelf 7'), empty: text(''), shelf: text('007'), dose: text('1.50'), record: text('12345678901234567890'),
  failed: { isError: true, ...text('No such shelf.') }, both: { ...text('Shelf 7'), structuredContent: { shelf: 7, free: true } },
  structured: { content: [], structuredContent: { shelf: 7 } },
}
const tool = { name: 'find', description: 'Finds it', inputSchema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] } }
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const answer = { jsonrpc: '2.0', id }
  if (method === 'initialize') answer.result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'shelf', version: '1' } }
  else if (method === 'tools/list') answer.result = { tools: [tool] }
  else if (method === 'tools/call') answer.result = results[params.arguments.what]
  else answer.error = { code: -32601, message: 'unknown' }
  console.log(JSON.stringify(answer))
}
END
cat > ask.mjs <<'END'
import '@utcp/mcp'
import { UtcpClient } from '@utcp/sdk'
const client = await UtcpClient.create()
const shelf = { transport: 'stdio', command: process.execPath, args: ['shelf.mjs'] }
const { manual } = await client.registerManual({ name: 'home', call_template_type: 'mcp', config: { mcpServers: { shelf } } })
for (const what of ['words', 'empty', 'shelf', 'dose', 'record', 'failed', 'both', 'structured']) {
  console.log(`seen ${what}: ${JSON.stringify(await client.callTool(manual.tools[0].name, { what }))}`)
}
process.exit(0)
END

for name in @utcp/mcp @utcp/sdk; do node -p "'$name ' + JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version"; done
timeout 60 node ask.mjs 2> log.txt | grep '^seen ' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
seen words: "Shelf 7"
seen empty: 0
seen shelf: 7
seen dose: 1.5
seen record: 12345678901234567000
seen failed: "No such shelf."
seen both: "Shelf 7"
seen structured: []
END
