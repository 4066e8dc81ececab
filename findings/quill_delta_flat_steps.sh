#!/usr/bin/env bash
# quill-delta-to-markdown counts the parts of a step as steps, and shows a struck-out dose as a valid one.
#
# Expected: a line that is indented in a list of Quill is a list within the item above it, and what is struck out is
# marked so, as bold is.
# Seen with quill-delta-to-markdown 0.6.0 (Node 20): all lines are of one list, so that step 2 is step 3; "5 mg" struck
# out before "10 mg" is "5 mg 10 mg", 10⁶ is 106, lines of code are paragraphs, and a formula is nothing.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error quill-delta-to-markdown@0.6.0

cat > convert.js <<'END'
const { deltaToMarkdown } = require('quill-delta-to-markdown')
const item = (text, attributes) => [{ insert: text }, { insert: '\n', attributes: { list: 'ordered', ...attributes } }]
for (const delta of [
  [...item('Mix.'), ...item('Stir well.', { indent: 1 }), ...item('Drink.')],
  [{ insert: 'Take ' }, { insert: '5 mg', attributes: { strike: true } }, { insert: ' 10 mg, ' }, { insert: 'daily', attributes: { bold: true } }, { insert: '.\n' }],
  [{ insert: '10' }, { insert: '6', attributes: { script: 'super' } }, { insert: ' cells on ' }, { insert: { formula: 'x^2' } }, { insert: ' m\n' }],
  [{ insert: 'a = 1' }, { insert: '\n', attributes: { 'code-block': true } }],
]) console.log(deltaToMarkdown(delta).trim())
END

node -p "'quill-delta-to-markdown ' + JSON.parse(fs.readFileSync('node_modules/quill-delta-to-markdown/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
1. Mix.
2. Stir well.
3. Drink.
Take 5 mg 10 mg, **daily**.
106 cells on  m
a = 1
END
