#!/usr/bin/env bash
# Google's Agent Development Kit offers a model a parameter without its fields where the schema of an MCP tool has a
# $ref.
#
# Expected: what a definition ($defs) says stands in the place of its name, as Gemini's schema has no names, or the
# schema goes as JSON Schema, as Google's own @google/genai sends that of an MCP tool.
# Seen with @google/adk 2.0.0 (Node 20): the range that a search is to look in is an object with no properties, so that
# the model cannot know from and to. Least and greatest numbers, the default and the form of a text are gone, which
# Gemini's schema has, too. Nothing is said.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @google/adk@2.0.0 @modelcontextprotocol/sdk@1.32.2

cat > read.mjs <<'END'
import { MCPToolset, setLogLevel, LogLevel } from '@google/adk'
import { writeFileSync } from 'node:fs'
writeFileSync('server.mjs', `
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
const server = new Server({ name: 'notes', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'search', description: 'Searches notes.', inputSchema: {
  type: 'object', required: ['query'], properties: {
    query: { type: 'string', description: 'two letters at least', minLength: 2 },
    count: { type: 'integer', description: 'how many', minimum: 1, maximum: 10, default: 5 },
    range: { $ref: '#/$defs/Range' } },
  $defs: { Range: { type: 'object', description: 'days to look in', properties: { from: { type: 'string' }, to: { type: 'string' } }, required: ['from'] } } } }] }))
await server.connect(new StdioServerTransport())`)
setLogLevel(LogLevel.ERROR)
const toolset = new MCPToolset({ type: 'StdioConnectionParams', serverParams: { command: 'node', args: ['server.mjs'] } })
const [tool] = await toolset.getTools()
for (const [name, schema] of Object.entries(tool._getDeclaration().parameters.properties)) console.log(name, JSON.stringify(schema))
process.exit(0)
END

node -p "'@google/adk ' + JSON.parse(fs.readFileSync('node_modules/@google/adk/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
query {"type":"STRING","description":"two letters at least"}
count {"type":"INTEGER","description":"how many"}
range {"type":"OBJECT","properties":{}}
END
