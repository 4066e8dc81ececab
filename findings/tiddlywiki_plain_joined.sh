#!/usr/bin/env bash
# TiddlyWiki's two kinds of plain text each join what the other keeps apart: "Take 5" and "10 drops" become 510 drops.
#
# Expected: what its command "render" makes as text/plain has blocks apart, and text/plain-formatted is the same with
# more of the form, such as the marks of lists.
# Seen with tiddlywiki 5.4.1 (Node 20): in text/plain, headings, paragraphs and items follow one another with nothing
# between, and only the lines of one paragraph stay lines. In text/plain-formatted it is those lines that are joined.
# Cells are joined in both, numbered steps are bullets, and what is struck out is valid text.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error tiddlywiki@5.4.1

cat > render.js <<'END'
const { TiddlyWiki } = require('tiddlywiki')
const $tw = TiddlyWiki()
$tw.boot.argv = ['--version']
$tw.boot.boot()
for (const text of ['Take 5\n10 drops', 'Take 5\n\n10 drops', 'Take 5<br>10 drops', '! Dose 1\n5 mg', '|5|10|', '# Take 5\n# 10 drops', 'Take ~~5~~ 10 mg']) {
  $tw.wiki.addTiddler({ title: 'Doses', text })
  const [plain, formatted] = ['text/plain', 'text/plain-formatted'].map((type) => JSON.stringify($tw.wiki.renderTiddler(type, 'Doses').trim()))
  console.log(`${JSON.stringify(text)}\n  plain:     ${plain}\n  formatted: ${formatted}`)
}
END

node -p "'tiddlywiki ' + JSON.parse(fs.readFileSync('node_modules/tiddlywiki/package.json')).version"
node render.js 2> log.txt | tail -n +2 > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Take 5\n10 drops"
  plain:     "Take 5\n10 drops"
  formatted: "Take 510 drops"
"Take 5\n\n10 drops"
  plain:     "Take 510 drops"
  formatted: "Take 5\n\n10 drops"
"Take 5<br>10 drops"
  plain:     "Take 510 drops"
  formatted: "Take 510 drops"
"! Dose 1\n5 mg"
  plain:     "Dose 15 mg"
  formatted: "Dose 1\n\n5 mg"
"|5|10|"
  plain:     "510"
  formatted: "510"
"# Take 5\n# 10 drops"
  plain:     "Take 510 drops"
  formatted: "* Take 5\n\n* 10 drops"
"Take ~~5~~ 10 mg"
  plain:     "Take 5 10 mg"
  formatted: "Take 5 10 mg"
END
