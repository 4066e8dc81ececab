#!/usr/bin/env bash
# Orama's chunker leaves a Chinese text in one piece, whatever the greatest number of tokens, and makes one line of a
# table.
#
# Expected: each piece has the number of tokens that was asked for at most, and the lines of the text.
# Seen with @orama/chunker 0.0.3 (Node 20): pieces end at blanks, which Chinese does not have, so that a text of 252
# characters is one piece where 15 tokens were allowed; by sentences too, which end with 。 there. Each line break within
# a piece is a blank, so that headings, items and rows of tables stand in the line of what follows.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @orama/chunker@0.0.3

cat > read.mjs <<'END'
import { FixedChunker, NLPChunker } from '@orama/chunker'
const texts = ['每天服用五毫克，饭后服用。不要超过十毫克！'.repeat(12), 'Take five milligrams daily after a meal. '.repeat(6), '# Dose\n\n| Day | mg |\n|---|---|\n| Mon | 5 |\n\nTake it with milk. Not with water. And rest.']
for (const text of texts) {
  for (const Chunker of [FixedChunker, NLPChunker]) {
    const pieces = await new Chunker().chunk(text, 15)
    console.log(Chunker.name, text.length, 'characters in', pieces.length, 'pieces')
    if (text.startsWith('#')) console.log('  ' + JSON.stringify(pieces))
  }
}
END

node -p "'@orama/chunker ' + JSON.parse(fs.readFileSync('node_modules/@orama/chunker/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
FixedChunker 252 characters in 1 pieces
NLPChunker 252 characters in 1 pieces
FixedChunker 246 characters in 5 pieces
NLPChunker 246 characters in 6 pieces
FixedChunker 88 characters in 2 pieces
  ["# Dose | Day | mg | |---|---| | Mon","| 5 | Take it with milk. Not with water. And rest."]
NLPChunker 88 characters in 3 pieces
  ["# Dose | Day | mg |\n|---|---|","| Mon | 5 | Take it with milk. Not with water.","And rest."]
END
