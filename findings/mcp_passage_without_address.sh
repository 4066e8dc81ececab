#!/usr/bin/env bash
# Two libraries give a model the text of a passage without the address that an MCP server sent with it.
#
# Expected: an embedded resource is a text with its URI, by which a model can say where a passage is from or read on:
# the URI reaches it, too.
# Seen with @anthropic-ai/sdk 1.10.0 (its helpers for MCP) and @strands-agents/sdk 1.19.0 (Node 20): of two passages
# only the texts are left. With a link to a page beside a text, the first refuses the whole result, so that the text is
# lost as well; the second has the link. Of a result that has only structuredContent the second tells the model that
# there was no output.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --legacy-peer-deps @anthropic-ai/sdk@1.10.0 @strands-agents/sdk@1.19.0 @modelcontextprotocol/sdk@1.32.2

cat > read.mjs <<'END'
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp'
import { McpClient } from '@strands-agents/sdk'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { writeFileSync } from 'node:fs'
writeFileSync('server.mjs', `
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
const passage = (name, text) => ({ type: 'resource', resource: { uri: 'notes:///' + name, mimeType: 'text/markdown', text } })
const results = {
  passages: { content: [passage('old.md#dose', 'Take 50 mg.'), passage('new.md#dose', 'Take 5 mg.')] },
  link: { content: [{ type: 'text', text: 'Take 5 mg.' }, { type: 'resource_link', uri: 'notes:///new.md', name: 'new.md' }] },
  structure: { content: [], structuredContent: { dose: 5 } }
}
const server = new Server({ name: 'notes', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: Object.keys(results).map((name) => ({ name, inputSchema: { type: 'object' } })) }))
server.setRequestHandler(CallToolRequestSchema, ({ params }) => results[params.name])
await server.connect(new StdioServerTransport())`)
const transport = () => new StdioClientTransport({ command: 'node', args: ['server.mjs'] })
const client = new Client({ name: 'finding', version: '1' })
await client.connect(transport())
for (const tool of mcpTools((await client.listTools()).tools, client)) {
  console.log('@anthropic-ai/sdk', tool.name, await tool.run({}).then(JSON.stringify, (error) => error.message))
}
for (const tool of await new McpClient({ transport: transport() }).listTools()) {
  const events = tool.stream({ toolUse: { name: tool.name, toolUseId: '1', input: {} }, agent: {} })
  let event
  do event = await events.next(); while (!event.done)
  console.log('@strands-agents/sdk', tool.name, JSON.stringify(event.value.content))
}
process.exit(0)
END

for package in @anthropic-ai/sdk @strands-agents/sdk; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
@anthropic-ai/sdk passages [{"type":"document","source":{"type":"text","data":"Take 50 mg.","media_type":"text/plain"}},{"type":"document","source":{"type":"text","data":"Take 5 mg.","media_type":"text/plain"}}]
@anthropic-ai/sdk link Unsupported MCP content type: resource_link
@anthropic-ai/sdk structure "{\"dose\":5}"
@strands-agents/sdk passages [{"text":"Take 50 mg."},{"text":"Take 5 mg."}]
@strands-agents/sdk link [{"text":"Take 5 mg."},{"json":{"name":"new.md","uri":"notes:///new.md","type":"resource_link"}}]
@strands-agents/sdk structure [{"text":"Tool execution completed successfully with no output."}]
END
