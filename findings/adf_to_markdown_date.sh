#!/usr/bin/env bash
# adf-to-markdown tells the date in a page of Jira or Confluence a day early west of Greenwich.
#
# Expected: the date node of the Atlassian Document Format is a day, as milliseconds at midnight UTC, and is the same
# day wherever a document is converted.
# Seen with adf-to-markdown 1.0.1 (Node 20): 5 March 2026 is 3/5/2026 in London and 3/4/2026 in New York. A bar in a
# cell is not escaped, so that the next cell falls out of the table, and a picture at another site loses its address.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error adf-to-markdown@1.0.1

cat > convert.js <<'END'
const { convertADFToMarkdown: convert } = require('adf-to-markdown')
const paragraph = (content) => ({ type: 'paragraph', content: [content] })
const row = (type, texts) => ({ type: 'tableRow', content: texts.map((text) => ({ type, attrs: {}, content: [paragraph({ type: 'text', text })] })) })
const nodes = {
  date: paragraph({ type: 'date', attrs: { timestamp: String(Date.UTC(2026, 2, 5)) } }),
  table: { type: 'table', content: [row('tableHeader', ['form', 'mg']), row('tableCell', ['drops|syrup', '5'])] },
  picture: { type: 'mediaSingle', content: [{ type: 'media', attrs: { type: 'external', url: 'https://example.org/plan.png', alt: 'plan' } }] }
}
for (const name of process.argv.slice(2)) console.log(convert({ version: 1, type: 'doc', content: [nodes[name]] }).trim())
END

node -p "'adf-to-markdown ' + JSON.parse(fs.readFileSync('node_modules/adf-to-markdown/package.json')).version"
{
  for zone in Europe/London America/New_York; do
    echo "$zone: $(LC_ALL=C TZ=$zone node convert.js date)"
  done
  node convert.js table picture
} > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Europe/London: 3/5/2026
America/New_York: 3/4/2026
| form | mg |
| --- | --- |
| drops|syrup | 5 |
![plan]()
END
