#!/usr/bin/env bash
# After a tool of an MCP server gave a resource link, LangChain can ask neither OpenAI's models nor Anthropic's.
#
# Expected: the link reaches the model as text (name, URI), or is left out.
# Seen with @langchain/mcp-adapters 1.1.4, @langchain/openai 1.5.8 and @langchain/anthropic 1.5.11 (Node 20): it becomes
# a file at that URL, without its name, title and description. Both libraries refuse such a file, and with it every
# later request, as the result stays in the conversation.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts --legacy-peer-deps @langchain/mcp-adapters@1.1.4 @langchain/core@1.4.0 @langchain/langgraph@1.7.3 @langchain/openai@1.5.8 @langchain/anthropic@1.5.11 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7

cat > server.mjs <<'END'
import { createInterface } from 'node:readline'
const content = [{ type: 'text', text: 'See:' }, { type: 'resource_link', uri: 'file:///plan.md', name: 'plan.md', title: 'Plan', mimeType: 'text/markdown' }]
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  let result = {}
  if (method === 'initialize') result = { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'plans', version: '1' } }
  if (method === 'tools/list') result = { tools: [{ name: 'plans', description: 'Finds plans.', inputSchema: { type: 'object', properties: {} } }] }
  if (method === 'tools/call') result = { content }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
}
END

# Port 9 of the loopback address is asked nothing: the requests fail before they are sent.
cat > ask.mjs <<'END'
import { ChatAnthropic } from '@langchain/anthropic'
import { AIMessage, HumanMessage } from '@langchain/core/messages'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
const client = new MultiServerMCPClient({ mcpServers: { s: { transport: 'stdio', command: process.execPath, args: ['server.mjs'] } } })
const [tool] = await client.getTools()
const call = { id: '1', name: 'plans', args: {} }
const message = await tool.invoke({ ...call, type: 'tool_call' })
console.log(`langchain: ${JSON.stringify(message.content)}`)
const conversation = [new HumanMessage('Where?'), new AIMessage({ content: '', tool_calls: [call] }), message]
const models = {
  openai: new ChatOpenAI({ model: 'gpt-4o', apiKey: 'none', maxRetries: 0, configuration: { baseURL: 'http://127.0.0.1:9/v1' } }),
  anthropic: new ChatAnthropic({ model: 'claude', apiKey: 'none', maxRetries: 0, anthropicApiUrl: 'http://127.0.0.1:9' }),
}
for (const [name, model] of Object.entries(models)) console.log(`${name}: ${await model.invoke(conversation).catch((error) => error.message)}`)
process.exit(0)
END

for package in @langchain/mcp-adapters @langchain/openai @langchain/anthropic; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
timeout 90 node ask.mjs 2> log.txt | grep -E '^(langchain|openai|anthropic): ' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
langchain: [{"type":"text","text":"See:"},{"type":"file","source_type":"url","url":"file:///plan.md","mime_type":"text/markdown"}]
openai: URL file blocks with source_type url must be formatted as a data URL for ChatOpenAI
anthropic: Unsupported file mime type for file url source: text/markdown
END
