#!/usr/bin/env bash
# Two libraries with a client for MCP know only the first page of a server's tools.
#
# Expected: a client asks on while the answer to tools/list has a `nextCursor`, as the specification has it.
# Seen with @google/adk 2.0.0 and @huggingface/mcp-client 0.2.3 (Node 20): they ask once, and the tools of
# the next page are unknown to the model. LangChain's @langchain/mcp-adapters 1.1.4 has both.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts --legacy-peer-deps @google/adk@2.0.0 @huggingface/mcp-client@0.2.3 @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 @langchain/langgraph@1.7.3 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7

# A server with two tools, each on a page of its own.
cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const tool = (name) => ({ name, description: `Says ${name}.`, inputSchema: { type: 'object', properties: {} } })
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  let result
  if (method === 'initialize') result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'pages', version: '1' } }
  else if (method === 'tools/list') result = params?.cursor ? { tools: [tool('second')] } : { tools: [tool('first')], nextCursor: 'more' }
  else continue
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END

cat > ask.mjs <<'END'
import { MCPToolset } from '@google/adk'
import { McpClient } from '@huggingface/mcp-client'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
const server = { command: process.execPath, args: ['server.mjs'] }
const ask = {
  adk: async () => (await new MCPToolset({ type: 'StdioConnectionParams', serverParams: server }).getTools()).map((tool) => tool.name),
  huggingface: async () => {
    const client = new McpClient({ provider: 'none', model: 'none', apiKey: 'none', endpointUrl: 'http://127.0.0.1:9' })
    await client.addMcpServer(server)
    return client.availableTools.map((tool) => tool.function.name)
  },
  langchain: async () => (await new MultiServerMCPClient({ mcpServers: { s: { transport: 'stdio', ...server } } }).getTools()).map((tool) => tool.name),
}
console.log(`${process.argv[2]}: ${(await ask[process.argv[2]]()).join(' ')}`)
process.exit(0)
END

for package in @google/adk @huggingface/mcp-client @langchain/mcp-adapters; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
for name in adk huggingface langchain; do timeout 60 node ask.mjs "$name" 2> "$name.txt" | grep "^$name: "; done > seen.txt
cat seen.txt
diff seen.txt - <<'END'
adk: first
huggingface: first
langchain: first second
END
