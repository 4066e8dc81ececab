#!/usr/bin/env bash
# html-to-md writes tables whose values Markdown does not show: there are more cells than columns.
#
# Expected: the line below the head has a dash for each column of the table.
# Seen with html-to-md 0.8.8 and marked 18.0.0 (Node 20): where each row begins with its heading, and where the
# first row is one wide cell, there is one column, and GitHub's Markdown leaves out cells that are beyond the
# columns, so that names are shown without values.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error html-to-md@0.8.8 marked@18.0.0

cat > convert.js <<'END'
const convert = require('html-to-md')
const { marked } = require('marked')
const tables = [
  '<table><tr><th>Dose</th><td>5 mg</td></tr><tr><th>Days</th><td>7</td></tr></table>',
  '<table><tr><td colspan="2">Plan</td></tr><tr><td>Dose</td><td>5 mg</td></tr></table>'
]
for (const table of tables) {
  const markdown = convert(table)
  console.log(markdown)
  console.log([...marked.parse(markdown).matchAll(/<t[dh]>([^<]+)</g)].map(([, text]) => text).join(' / '))
}
END

node -p "'html-to-md ' + JSON.parse(fs.readFileSync('node_modules/html-to-md/package.json')).version"
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
||
|---|
|Dose|5 mg|
|Days|7|
Dose / Days
||
|---|
|Plan|
|Dose|5 mg|
Plan / Dose
END
