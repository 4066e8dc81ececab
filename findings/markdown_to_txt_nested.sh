#!/usr/bin/env bash
# markdown-to-txt joins an item of a list with the first item below it.
#
# Expected: each item is a line of its own, as items of one level are.
# Seen with markdown-to-txt 2.0.1 (Node 20): "Vitamin B" above "12 tablets" is "Vitamin B12 tablets". Whether a task
# is done is left out. (It needs lodash and does not name it among what it needs.)
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error markdown-to-txt@2.0.1 lodash@4.17.21

cat > convert.js <<'END'
const { markdownToTxt } = require('markdown-to-txt')
for (const markdown of ['- Vitamin B\n  - 12 tablets\n  - mornings\n- Iron\n', '- [x] paid\n- [ ] sent\n']) console.log(JSON.stringify(markdownToTxt(markdown)))
END

node -p "'markdown-to-txt ' + JSON.parse(fs.readFileSync('node_modules/markdown-to-txt/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Vitamin B12 tablets\nmornings\n\n\nIron"
"paid\nsent"
END
