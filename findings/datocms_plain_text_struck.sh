#!/usr/bin/env bash
# datocms-structured-text-to-plain-text ends the line behind a struck-out word, in the middle of a sentence.
#
# Expected: what is struck out is a part of its sentence, as bold and underlined words are, and is marked or left out.
# Seen with datocms-structured-text-to-plain-text 5.1.16 (Node 20): its list of elements within a line has "del", and the
# element for what is struck out is "s", so that it counts as a block: "Take 5" is a line, " mg, not more." the next one,
# and the dose that was struck reads as valid. So it is with marks of one's own, and the items of a list are apart by an
# empty line, without their numbers. A search for the sentence does not find it.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts datocms-structured-text-to-plain-text@5.1.16

cat > read.mjs <<'END'
import text from 'datocms-structured-text-to-plain-text'
const span = (value, ...marks) => marks.length ? { type: 'span', value, marks } : { type: 'span', value }
for (const mark of ['strong', 'emphasis', 'underline', 'highlight', 'code', 'strikethrough']) {
  const children = [span('Take '), span('5', mark), span(' mg, not more.')]
  const document = { type: 'root', children: [{ type: 'paragraph', children }] }
  console.log(`${mark}: ${JSON.stringify(text.render({ schema: 'dast', document }))}`)
}
const item = (value) => ({ type: 'listItem', children: [{ type: 'paragraph', children: [span(value)] }] })
const list = { type: 'list', style: 'numbered', children: [item('Mix'), item('Rest')] }
console.log(`a list: ${JSON.stringify(text.render({ schema: 'dast', document: { type: 'root', children: [list] } }))}`)
END

node -p "'datocms-structured-text-to-plain-text ' + JSON.parse(fs.readFileSync('node_modules/datocms-structured-text-to-plain-text/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
strong: "Take 5 mg, not more."
emphasis: "Take 5 mg, not more."
underline: "Take 5 mg, not more."
highlight: "Take 5 mg, not more."
code: "Take 5 mg, not more."
strikethrough: "Take 5\n mg, not more."
a list: "Mix\n\nRest"
END
