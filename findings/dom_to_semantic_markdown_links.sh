#!/usr/bin/env bash
# dom-to-semantic-markdown encodes the addresses of links twice, so that links to pages with a blank or Chinese lead
# nowhere.
#
# Expected: a%20b, as a page has it, stays a%20b.
# Seen with dom-to-semantic-markdown 1.5.0 (Node 20), made to give pages to language models: it is a%2520b, the page
# "a%20b". A line break in a cell is one in Markdown, where it ends the table, so that the second dose stands below it;
# a list that begins at 3 begins at 1.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error dom-to-semantic-markdown@1.5.0 jsdom@29.1.1

cat > read.mjs <<'END'
import { convertHtmlToMarkdown } from 'dom-to-semantic-markdown'
import { JSDOM } from 'jsdom'
const { DOMParser } = new JSDOM('').window
const pages = ['<p><a href="https://example.org/a%20b">plan</a></p>', '<p><a href="https://example.org/剂量">plan</a></p>', '<table><tr><th>Day</th><th>mg</th></tr><tr><td>Monday</td><td>5<br>10</td></tr></table>', '<ol start="3"><li>Boil</li><li>Pour</li></ol>']
for (const page of pages) console.log(convertHtmlToMarkdown(page, { overrideDOMParser: new DOMParser() }))
END

node -p "'dom-to-semantic-markdown ' + JSON.parse(fs.readFileSync('node_modules/dom-to-semantic-markdown/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
[plan](https://example.org/a%2520b)
[plan](https://example.org/%25E5%2589%2582%25E9%2587%258F)
| Day | mg |
| --- | --- |
| Monday | 5
10 |
1. Boil
2. Pour
END
