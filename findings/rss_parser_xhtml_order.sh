#!/usr/bin/env bash
# rss-parser makes "Take 5 mg, not 10." of an Atom entry "Take  mg, not ." with the numbers after it.
#
# Expected: the text of an entry in XHTML, one of the three kinds of Atom, is in the order in which it is written, as
# that in HTML is; the title of an entry is a text.
# Seen with rss-parser 3.13.0 (Node 20): all elements of a paragraph follow all of its text, in content and in
# contentSnippet, and a title in XHTML is an object. feedsmith 3.0.1 keeps the order.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error rss-parser@3.13.0 feedsmith@3.0.1

cat > read.mjs <<'END'
import Parser from 'rss-parser'
import { parseFeed } from 'feedsmith'
const sentence = '<p>Take <b>5</b> mg, not <i>10</i>.</p>'
const xhtml = `type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">${sentence}</div>`
const html = `type="html">${sentence.replaceAll('<', '&lt;')}`
for (const text of [html, xhtml]) {
  const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Doses</title><id>urn:a</id>
<updated>2026-03-06T08:00:00Z</updated><entry><id>urn:b</id><updated>2026-03-06T08:00:00Z</updated>
<title ${text}</title><content ${text}</content></entry></feed>`
  const [item] = (await new Parser().parseString(feed)).items
  console.log('rss-parser', item.content, '|', item.contentSnippet, '| title:', typeof item.title)
  console.log('feedsmith', parseFeed(feed).feed.entries[0].content.value)
}
END

for package in rss-parser feedsmith; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
rss-parser <p>Take <b>5</b> mg, not <i>10</i>.</p> | Take 5 mg, not 10. | title: string
feedsmith <p>Take <b>5</b> mg, not <i>10</i>.</p>
rss-parser <div type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Take  mg, not .<b>5</b><i>10</i></p></div></div> | Take  mg, not .510 | title: object
feedsmith <p>Take <b>5</b> mg, not <i>10</i>.</p>
END
