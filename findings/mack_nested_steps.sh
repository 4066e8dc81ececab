#!/usr/bin/env bash
# mack leaves out of a Markdown list for Slack what stands below its items: steps within steps, a second paragraph,
# code.
#
# Expected: what a section of Slack has no form for is written as text, as a table is; a list that begins at 3 has a 3.
# Seen with @instantish/mack 1.2.0 (Node 20): of an item the first paragraph is left and nothing is said of the rest.
# Every list begins with 1. A line break of Markdown is nothing, so that 5 above 10 mg is 510 mg, and 10⁶ written as
# HTML is 106.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @instantish/mack@1.2.0

cat > read.mjs <<'END'
import { markdownToBlocks } from '@instantish/mack'
const texts = ['1. Boil\n   - not the milk\n2. Pour', '1. Mix\n\n   Not with water.\n\n2. Take', '3. Boil\n4. Pour', '5  \n10 mg', '10<sup>6</sup> cells', '| Day | mg |\n|---|---|\n| Mon | 5 |']
for (const text of texts) {
  console.log(JSON.stringify(text))
  for (const block of await markdownToBlocks(text)) console.log('  ' + JSON.stringify(block.text.text))
}
END

node -p "'@instantish/mack ' + JSON.parse(fs.readFileSync('node_modules/@instantish/mack/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"1. Boil\n   - not the milk\n2. Pour"
  "1. Boil\n2. Pour"
"1. Mix\n\n   Not with water.\n\n2. Take"
  "1. Mix\n2. Take"
"3. Boil\n4. Pour"
  "1. Boil\n2. Pour"
"5  \n10 mg"
  "510 mg"
"10<sup>6</sup> cells"
  "106 cells"
"| Day | mg |\n|---|---|\n| Mon | 5 |"
  "```\n| Day | mg |\n| --- | --- |\n| Mon | 5 |\n```"
END
