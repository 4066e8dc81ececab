#!/usr/bin/env bash
# TiddlyWiki's plain text joins the paragraphs, the cells and the items of a tiddler: 5 beside 10 is 510.
#
# Expected: what is rendered as text/plain, as its command "render" has it, is text in which blocks are apart.
# Seen with tiddlywiki 5.4.1 (Node 20): headings, paragraphs, cells and items follow one another with nothing between,
# and a line break within a paragraph (<br>) is gone; only a line that the wikitext has within a paragraph is kept. The
# kind text/plain-formatted has lines, but neither numbers of steps nor anything between cells. What is struck out is text
# in both.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error tiddlywiki@5.4.1

cat > render.js <<'END'
const { TiddlyWiki } = require('tiddlywiki')
const $tw = TiddlyWiki()
$tw.boot.argv = ['+plugins/tiddlywiki/none', '--version']
$tw.boot.boot()
for (const text of ['Take 5\n10 drops', 'Take 5\n\n10 drops', 'Take 5<br>10 drops', '! Dose 1\n5 mg', '|5|10|', '# Take 5\n# 10 drops', 'Take ~~5~~ 10 mg']) {
  const [plain, formatted] = ['text/plain', 'text/plain-formatted'].map((type) => JSON.stringify($tw.wiki.renderText(type, 'text/vnd.tiddlywiki', text)))
  console.log(`${JSON.stringify(text)}\n  plain:     ${plain}\n  formatted: ${formatted}`)
}
END

node -p "'tiddlywiki ' + JSON.parse(fs.readFileSync('node_modules/tiddlywiki/package.json')).version"
node render.js > seen.txt 2> log.txt
cat seen.txt
diff seen.txt - <<'END'
Warning: Cannot find plugin 'tiddlywiki/none'
5.4.1
"Take 5\n10 drops"
  plain:     "Take 5\n10 drops"
  formatted: "Take 5\n10 drops"
"Take 5\n\n10 drops"
  plain:     "Take 510 drops"
  formatted: "Take 510 drops"
"Take 5<br>10 drops"
  plain:     "Take 510 drops"
  formatted: "Take 510 drops"
"! Dose 1\n5 mg"
  plain:     "Dose 15 mg"
  formatted: "Dose 15 mg"
"|5|10|"
  plain:     "510"
  formatted: "510"
"# Take 5\n# 10 drops"
  plain:     "Take 510 drops"
  formatted: "Take 510 drops"
"Take ~~5~~ 10 mg"
  plain:     "Take 5 10 mg"
  formatted: "Take 5 10 mg"
END
