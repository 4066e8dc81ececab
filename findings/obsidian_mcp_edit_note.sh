#!/usr/bin/env bash
# obsidian-mcp tells a model that edit-note, its only tool to change a note, has no parameters.
#
# Expected: each tool of a server says in its inputSchema what it takes: the vault, the note, what to do and the text.
# Seen with obsidian-mcp 1.0.6 (Node 20; it refuses a vault in /tmp, so that this one is in the home folder): the
# parameters of edit-note depend on what is to be done (a union in Zod), and of such a schema an object without properties
# is made. Called as its schema says, it fails. Hosts that send only what a schema names, or fill forms from it, cannot
# edit; the parameters are known only to who reads the examples in the description.
set -euo pipefail

folder=$(mktemp -d "$HOME/finding.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts obsidian-mcp@1.0.6

cat > read.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { mkdirSync, writeFileSync } from 'fs'

const vault = process.cwd() + '/vault'
mkdirSync(vault + '/.obsidian', { recursive: true })
for (const name of ['app', 'appearance', 'core-plugins']) writeFileSync(`${vault}/.obsidian/${name}.json`, '{}')
writeFileSync(vault + '/Plan.md', 'Rest.\n')
const client = new Client({ name: 'reader', version: '1' })
await client.connect(new StdioClientTransport({ command: 'node', args: ['node_modules/obsidian-mcp/build/main.js', vault], stderr: 'ignore' }))
for (const { name, inputSchema } of (await client.listTools()).tools) console.log(`${name}: ${Object.keys(inputSchema.properties).join(', ') || 'no parameters'}`)
try {
  await client.callTool({ name: 'edit-note', arguments: {} })
} catch (error) {
  console.log(error.message)
}
await client.close()
END

node -p "'obsidian-mcp ' + JSON.parse(fs.readFileSync('node_modules/obsidian-mcp/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
create-note: vault, filename, content, folder
list-available-vaults: no parameters
edit-note: no parameters
search-vault: vault, query, path, caseSensitive, searchType
move-note: vault, source, destination
create-directory: vault, path, recursive
delete-note: vault, path, reason, permanent
add-tags: vault, files, tags, location, normalize, position
remove-tags: vault, files, tags, options
rename-tag: vault, oldTag, newTag, createBackup, normalize, batchSize
read-note: vault, filename, folder
MCP error -32602: MCP error -32602: Invalid arguments: Invalid discriminator value. Expected 'delete' | 'append' | 'prepend' | 'replace'
END
