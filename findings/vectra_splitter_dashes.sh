#!/usr/bin/env bash
# vectra's splitter takes dashes out of a text: 5---10 mg becomes 510 mg, and a table of Markdown is none any more.
#
# Expected: the pieces of a text have its words and signs as they are, less the blanks or lines between two pieces.
# Seen with vectra 0.15.0 (Node 20): three dashes are one of the marks at which TextSplitter cuts, and are gone also
# where it puts the parts together again, without anything between them. Of the line below the head of a table the bars
# are left. With keepSeparators nothing is lost, but for the ends of pieces.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error vectra@0.15.0

cat > read.mjs <<'END'
import { TextSplitter } from 'vectra'
const table = '| Day | mg |\n|---|---|\n| Mon | 5 |\n\n'
for (const text of ['Take 5---10 mg. '.repeat(6), table + 'Take it with milk. '.repeat(6)]) {
  for (const keepSeparators of [false, true]) {
    console.log('keepSeparators', keepSeparators)
    for (const piece of new TextSplitter({ chunkSize: 15, chunkOverlap: 0, keepSeparators }).split(text)) console.log('  ' + JSON.stringify(piece.text))
  }
}
END

node -p "'vectra ' + JSON.parse(fs.readFileSync('node_modules/vectra/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
keepSeparators false
  "Take 510 mg. Take 510 mg. Take"
  "510 mg. Take 510 mg. Take "
  "510 mg. Take 510 mg. "
keepSeparators true
  "Take 5---10 mg. Take 5---10 mg. Take"
  "5---10 mg. Take 5---10 mg. Take "
  "5---10 mg. Take 5---10 mg. "
keepSeparators false
  "| Day | mg |"
  "|||"
  "| Mon | 5 |"
  "Take it with milk. Take it with milk. Take it with milk."
  "Take it with milk. Take it with milk. Take it with milk."
keepSeparators true
  "| Day | mg |\n"
  "|---|---|\n"
  "| Mon | 5 |\n"
  "Take it with milk. Take it with milk. Take it with milk."
  "Take it with milk. Take it with milk. Take it with milk."
END
