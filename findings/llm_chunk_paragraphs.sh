#!/usr/bin/env bash
# llm-chunk joins the last word of a paragraph with the first of the next one.
#
# Expected: a piece that holds two paragraphs has a blank or a line between them, as the text had.
# Seen with llm-chunk 0.0.1 (Node 20), as it is without options: they are joined with nothing: "take 5" and "10 drops"
# become "take 510 drops". Where it cuts into sentences, a point in a number is the end of one: 3.5 is "3." and "5".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error llm-chunk@0.0.1

cat > cut.js <<'END'
const { chunk } = require('llm-chunk')
console.log(JSON.stringify(chunk('Morning: take 5\n\n10 drops at night\n\nRest.')))
for (const text of ['Take 3.5 mg of it.', '每天3.5毫克。']) console.log(JSON.stringify(chunk(text, { splitter: 'sentence', minLength: 0 })))
END

node -p "'llm-chunk ' + JSON.parse(fs.readFileSync('node_modules/llm-chunk/package.json')).version"
node cut.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
["Morning: take 510 drops at night","Rest."]
["Take 3.","5 mg of it.",""]
["每天3.","5毫克。"]
END
