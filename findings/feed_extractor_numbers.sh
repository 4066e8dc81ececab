#!/usr/bin/env bash
# feed-extractor takes titles and ids for numbers: "1.50" is "1.5", and the entries 7 and 007 have the same id.
#
# Expected: the title and the id of an entry are the text that the feed has.
# Seen with @extractus/feed-extractor 8.0.3 (Node 20): what looks like a number is written anew as one, so that zeros go
# at both ends, 1e3 is 1000 and 0x10 is 16. The same in a JSON Feed stays.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @extractus/feed-extractor@8.0.3

cat > read.mjs <<'END'
import { extractFromJson, extractFromXml } from '@extractus/feed-extractor'
const texts = ['Version 1.50', '1.50', '007', '7', '1e3', '0x10', '+5']
const items = texts.map((text) => `<item><title>${text}</title><guid isPermaLink="false">${text}</guid></item>`)
const rss = extractFromXml(`<rss version="2.0"><channel><title>T</title><link>https://example.org/</link><description>d</description>${items.join('')}</channel></rss>`)
const json = extractFromJson({ version: 'https://jsonfeed.org/version/1.1', title: 'T', items: texts.map((text) => ({ id: text, title: text })) })
for (const [at, text] of texts.entries()) console.log(`${text}: ${[rss, json].map(({ entries }) => `${entries[at].title} (id ${entries[at].id})`).join(', in JSON ')}`)
END

node -p "'@extractus/feed-extractor ' + JSON.parse(fs.readFileSync('node_modules/@extractus/feed-extractor/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
Version 1.50: Version 1.50 (id Version 1.50), in JSON Version 1.50 (id Version 1.50)
1.50: 1.5 (id 1.5), in JSON 1.50 (id 1.50)
007: 7 (id 7), in JSON 007 (id 007)
7: 7 (id 7), in JSON 7 (id 7)
1e3: 1000 (id 1000), in JSON 1e3 (id 1e3)
0x10: 16 (id 16), in JSON 0x10 (id 0x10)
+5: 5 (id 5), in JSON +5 (id +5)
END
