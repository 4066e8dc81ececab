#!/usr/bin/env bash
# notion-to-md breaks a line of code where a part of it is bold, coloured or a link.
#
# Expected: Notion gives a text in pieces, one for each run of the same look, which follow each other with nothing
# between, as the library puts them together in a paragraph.
# Seen with notion-to-md 3.1.9 (Node 20): the pieces of a block of code are joined by line breaks. "total: 5 mg" with the
# 5 in bold is three lines, a command with a coloured option is two, and Python or YAML means something else.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error notion-to-md@3.1.9

cat > convert.mjs <<'END'
import { NotionToMarkdown } from 'notion-to-md'
// A piece of text as Notion's API gives it.
const plain = { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' }
const piece = (content, look = {}) => ({ type: 'text', text: { content, link: null }, plain_text: content, href: null,
  annotations: { ...plain, ...look } })
const pieces = [piece('total: '), piece('5', { bold: true }), piece(' mg')]
const converter = new NotionToMarkdown({ notionClient: {} })
for (const type of ['paragraph', 'code']) {
  const content = { rich_text: pieces, caption: [], language: 'yaml', color: 'default' }
  console.log(await converter.blockToMarkdown({ object: 'block', id: '1', type, has_children: false, [type]: content }))
}
END

node -p "'notion-to-md ' + JSON.parse(fs.readFileSync('node_modules/notion-to-md/package.json')).version"
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
total: **5** mg
```yaml
total: 
5
 mg
```
END
