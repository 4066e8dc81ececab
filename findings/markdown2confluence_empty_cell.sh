#!/usr/bin/env bash
# markdown2confluence makes a heading of the cell after an empty one, and moves the row to the left.
#
# Expected: an empty cell of a table in Markdown is a blank between two bars in Confluence's markup: "| |2|".
# Seen with @shogobg/markdown2confluence 0.1.6 (Node 20): it is nothing between two bars, and two bars begin a
# heading. jira2md 3.0.1 reads the 2, which stood below "Evening", as a second row of headings with the 2 below
# "Morning".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @shogobg/markdown2confluence@0.1.6 jira2md@3.0.1

cat > convert.js <<'END'
const toConfluence = require('@shogobg/markdown2confluence')
const { to_markdown: toMarkdown } = require('jira2md')
const rows = toConfluence('| Morning | Evening |\n|---|---|\n| 1 | 3 |\n|  | 2 |\n').trim()
console.log(rows)
console.log(toMarkdown(rows).trim())
END

for package in @shogobg/markdown2confluence jira2md; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
||Morning||Evening||
|1|3|
||2||
|Morning|Evening|
| --- | --- |
|1|3|

|2|
| --- |
END
