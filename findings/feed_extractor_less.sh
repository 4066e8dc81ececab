#!/usr/bin/env bash
# feed-extractor leaves out of a description what follows "less than", and makes a podcast's file the page of an entry.
#
# Expected: &lt; in the HTML of a description is the sign, and in plain text "<" is one anyway (content_text of a JSON
# Feed, type="text" of Atom). The link of an Atom entry is its alternate, whichever link stands first.
# Seen with @extractus/feed-extractor 8.0.3 (Node 20): "Keep at < 8 °C. Take > 5 mg." is "Keep at  5 mg." in all of the
# formats, as tags are taken out of the text once more after its entities are signs. Cells and paragraphs are joined.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @extractus/feed-extractor@8.0.3

cat > read.mjs <<'END'
import { extractFromJson, extractFromXml } from '@extractus/feed-extractor'
const sentence = 'Keep at &lt; 8 °C. Take &gt; 5 mg.'
const plain = 'Keep at < 8 °C. Take > 5 mg.'
const atom = (links, summary) => extractFromXml(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Doses</title><id>urn:a</id>
<updated>2026-03-06T08:00:00Z</updated><entry><id>urn:b</id><title>One</title><updated>2026-03-06T08:00:00Z</updated>
${links}<summary type="text">${summary}</summary></entry></feed>`)
const rss = (html) => extractFromXml(`<rss version="2.0"><channel><title>Doses</title><link>https://example.org/</link>
<description>Doses</description><item><title>One</title><description><![CDATA[${html}]]></description></item></channel></rss>`)
const page = '<link href="https://example.org/one"/>'
const file = '<link rel="enclosure" href="https://example.org/one.mp3"/>'
console.log('RSS ', rss(`<p>${sentence}</p>`).entries[0].description)
console.log('Atom', atom(page, sentence).entries[0].description)
console.log('JSON', extractFromJson({ version: 'https://jsonfeed.org/version/1.1', title: 'Doses', items: [{ id: '1', content_text: plain }] }).entries[0].description)
console.log('cells', rss('<table><tr><td>5</td><td>10</td></tr></table><p>mg</p><p>Daily.</p>').entries[0].description)
console.log('link', atom(page + file, '').entries[0].link, atom(file + page, '').entries[0].link)
END

node -p "'@extractus/feed-extractor ' + JSON.parse(fs.readFileSync('node_modules/@extractus/feed-extractor/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
RSS  Keep at  5 mg.
Atom Keep at  5 mg.
JSON Keep at  5 mg.
cells 510mgDaily.
link https://example.org/one https://example.org/one.mp3
END
