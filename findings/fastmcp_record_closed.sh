#!/usr/bin/env bash
# FastMCP tells a model that an object of any fields may have none, and fails a tool that says whom its text is for.
#
# Expected: z.record(z.string(), z.number()) is {"additionalProperties": {"type": "number"}}, as zod's own
# z.toJSONSchema has it; annotations of a text are part of MCP.
# Seen with fastmcp 4.20.16, zod 4.1.12 and @modelcontextprotocol/sdk 1.32.2 (Node 20): "additionalProperties" is false
# in every object, a record and what z.looseObject allows among them, so that a model which keeps to it sends {}; the
# server takes what is sent against it. A text with annotations ends in an error instead of the result, and a link
# loses its size and its annotations.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts fastmcp@4.20.16 zod@4.1.12 @modelcontextprotocol/sdk@1.32.2

cat > shelf.mjs <<'END'
import { FastMCP } from 'fastmcp'
import { z } from 'zod'
const server = new FastMCP({ name: 'shelf', version: '1.0.0' })
const parameters = z.object({ doses: z.record(z.string(), z.number()).optional(), where: z.looseObject({ ward: z.string() }).optional() })
const link = { type: 'resource_link', uri: 'note://dose', name: 'Dose', size: 5, annotations: { priority: 0.5 } }
server.addTool({ name: 'find', description: 'Finds it', parameters, execute: async (input) => JSON.stringify(input) })
server.addTool({ name: 'noted', description: 'A text for the user', execute: async () => ({ content: [{ type: 'text', text: 'Shelf 7', annotations: { audience: ['user'] } }] }) })
server.addTool({ name: 'linked', description: 'A link', execute: async () => ({ content: [link] }) })
await server.start({ transportType: 'stdio' })
END
cat > ask.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { z } from 'zod'
const client = new Client({ name: 'c', version: '1' })
await client.connect(new StdioClientTransport({ command: process.execPath, args: ['shelf.mjs'], stderr: 'ignore' }))
const { tools } = await client.listTools()
const { doses, where } = tools.find(({ name }) => name === 'find').inputSchema.properties
const { $schema, ...expected } = z.toJSONSchema(z.record(z.string(), z.number()))
console.log(`zod: ${JSON.stringify(expected)}`)
console.log(`FastMCP: ${JSON.stringify(doses)}, loose: ${JSON.stringify(where)}`)
const call = async (name, input = {}) => {
  const { isError, content } = await client.callTool({ name, arguments: input })
  console.log(`${name} ${JSON.stringify(input)} -> ${isError ? `error: ${content[0].text.match(/Unrecognized key: .+(?=")/)}"` : JSON.stringify(content[0])}`)
}
await call('find', { doses: { morning: 5 } })
await call('noted')
await call('linked')
process.exit(0)
END

for name in fastmcp zod; do node -p "'$name ' + JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version"; done
timeout 60 node ask.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
zod: {"type":"object","propertyNames":{"type":"string"},"additionalProperties":{"type":"number"}}
FastMCP: {"type":"object","propertyNames":{"type":"string"},"additionalProperties":false}, loose: {"type":"object","properties":{"ward":{"type":"string"}},"required":["ward"],"additionalProperties":false}
find {"doses":{"morning":5}} -> {"type":"text","text":"{\"doses\":{\"morning\":5}}"}
noted {} -> error: Unrecognized key: \"annotations\""
linked {} -> {"name":"Dose","uri":"note://dose","type":"resource_link"}
END
