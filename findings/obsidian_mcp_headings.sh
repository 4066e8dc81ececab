#!/usr/bin/env bash
# obsidian-mcp takes the heading in a link and the end of a web address for a tag: it removes and renames them, too.
#
# Expected: "#daily" is a tag where it stands alone, as in Obsidian; [[Plan#Daily]] is a link to a heading, and stays.
# Seen with obsidian-mcp 1.0.6 (Node 20; it refuses a vault in /tmp, so that this one is in the home folder): taking a tag
# out of a note cuts the heading off a link and the fragment off an address, and renaming a tag sends both to a heading
# that there is not, whatever their capitals. Code is left alone. Where a note is moved, a link to a heading of it keeps
# the old name, so that it leads nowhere, while the other links are mended. The answers tell of success.
set -euo pipefail

folder=$(mktemp -d "$HOME/finding.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts obsidian-mcp@1.0.6

cat > read.mjs <<'END'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { mkdirSync, readFileSync, writeFileSync } from 'fs'

const vault = process.cwd() + '/vault'
mkdirSync(vault + '/.obsidian', { recursive: true })
for (const name of ['app', 'appearance', 'core-plugins']) writeFileSync(`${vault}/.obsidian/${name}.json`, '{}')
const note = 'Take 5 mg #daily.\nSee [[Plan#Daily]] and [[Plan]], [the plan](Plan.md), https://example.org/help#daily.\n\n```c\n#daily 1\n```\n'
const read = (name) => JSON.stringify(readFileSync(`${vault}/${name}`, 'utf8'))
const client = new Client({ name: 'reader', version: '1' })
await client.connect(new StdioClientTransport({ command: 'node', args: ['node_modules/obsidian-mcp/build/main.js', vault], stderr: 'ignore' }))
const call = async (name, args) => {
  try { const r = await client.callTool({ name, arguments: { vault: 'vault', ...args } }); if (process.env.V) console.log(r.content[0].text) } catch (e) { console.log(e.message) }
}
for (const [words, tool, args] of [
  ['remove the tag daily', 'remove-tags', { files: ['Dose.md'], tags: ['daily'] }],
  ['rename daily to often', 'rename-tag', { oldTag: 'daily', newTag: 'often', createBackup: false }],
  ['move Plan', 'move-note', { source: 'Plan.md', destination: 'Old.md' }]
]) {
  writeFileSync(vault + '/Dose.md', note)
  writeFileSync(vault + '/Plan.md', '# Daily\n')
  await call(tool, args)
  console.log(`${words}:\n  ${read('Dose.md')}`)
}
await client.close()
END

node -p "'obsidian-mcp ' + JSON.parse(fs.readFileSync('node_modules/obsidian-mcp/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
remove the tag daily:
  "Take 5 mg .\nSee [[Plan]] and [[Plan]], [the plan](Plan.md), https://example.org/help.\n\n```c\n#daily 1\n```\n"
rename daily to often:
  "Take 5 mg #often.\nSee [[Plan#often]] and [[Plan]], [the plan](Plan.md), https://example.org/help#often.\n\n```c\n#daily 1\n```\n"
move Plan:
  "Take 5 mg #daily.\nSee [[Plan#Daily]] and [[Old]], [the plan](Old.md), https://example.org/help#daily.\n\n```c\n#daily 1\n```\n"
END
