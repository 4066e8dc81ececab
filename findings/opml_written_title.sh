#!/usr/bin/env bash
# opml writes a list that it cannot read again once its title has "&".
#
# Expected: what parse has read of valid OPML, stringify writes as valid OPML, as it does with the text of the items.
# Seen with opml 0.5.8 (Node 20): the values of the head are written as they are, so that "&" and "<" of a title stand
# bare in the XML, which parse refuses. The file is declared ISO-8859-1 whatever is in it. outlineToPlaintext ends with
# an error for every list that has an item.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error opml@0.5.8

cat > write.js <<'END'
const { promisify } = require('node:util')
const opml = require('opml')
const parse = promisify(opml.parse)
async function rewrite(title) {
  const outline = await parse(`<?xml version="1.0"?><opml version="2.0"><head><title>${title}</title></head><body><outline text="${title}"/></body></opml>`)
  const text = opml.stringify(outline)
  console.log(text.match(/<title>.*|<outline.*/g).join(' '))
  const again = await parse(text).catch((error) => ({ opml: { head: { title: error.message.split('\n')[0] } } }))
  console.log(' ', again.opml.head.title)
  return outline
}
async function main() {
  await rewrite('Tea')
  await rewrite('5 &lt; 6')
  const outline = await rewrite('Tea &amp; 茶')
  console.log(opml.stringify(outline).split('\n')[0])
  try {
    console.log(opml.outlineToPlaintext(outline))
  } catch (error) {
    console.log(error.message)
  }
}
main()
END

node -p "'opml ' + JSON.parse(fs.readFileSync('node_modules/opml/package.json')).version"
node write.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<title>Tea</title> <outline text="Tea" />
  Tea
<title>5 < 6</title> <outline text="5 &lt; 6" />
  Unencoded <
<title>Tea & 茶</title> <outline text="Tea &amp; 茶" />
  Invalid character in entity name
<?xml version="1.0" encoding="ISO-8859-1"?>
filledString is not defined
END
