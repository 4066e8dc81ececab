#!/usr/bin/env bash
# draftjs-to-markdown writes a line break as the letters \s\s.
#
# Expected: two blanks before the end of the line, or a backslash: what breaks a line in Markdown.
# Seen with draftjs-to-markdown 0.6.0 (Node 20, and the global `window` that it asks for): a backslash and an s,
# twice, as if the text that replaces the break were a regular expression. Every soft break that was typed with
# Shift and Enter reads "\s\s".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error draftjs-to-markdown@0.6.0 marked@18.0.0

cat > convert.js <<'END'
globalThis.window = globalThis
const convert = require('draftjs-to-markdown').default
const { marked } = require('marked')
const block = { key: 'a', type: 'unstyled', text: 'Take 5 mg\nin the evening', depth: 0, inlineStyleRanges: [], entityRanges: [], data: {} }
const markdown = convert({ blocks: [block], entityMap: {} })
console.log(JSON.stringify(markdown))
console.log(marked.parse(markdown).trim())
END

node -p "'draftjs-to-markdown ' + JSON.parse(fs.readFileSync('node_modules/draftjs-to-markdown/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Take 5 mg\\s\\s\nin the evening\n"
<p>Take 5 mg\s\s
in the evening</p>
END
