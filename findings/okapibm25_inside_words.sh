#!/usr/bin/env bash
# okapibm25 counts a keyword within other words, and ranks these above the word itself.
#
# Expected: BM25 counts words: "art" is in "art museum" and not in "start the heart".
# Seen with okapibm25 1.4.1 (Node 20): a keyword is a regular expression that is counted anywhere in the text, so
# "start the heart" has it twice and comes first. A point matches any letter: "5.5" finds 535. "C++" is an error,
# and capitals count.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error okapibm25@1.4.1

cat > rank.js <<'END'
const { default: BM25 } = require('okapibm25')
const rank = (keyword, documents) => {
  const scores = BM25(documents, [keyword])
  return documents.map((text, i) => [text, scores[i]]).filter(([, score]) => score > 0).sort((a, b) => b[1] - a[1]).map(([text]) => text).join(' > ')
}
for (const [keyword, ...documents] of [['art', 'art museum', 'start the heart'], ['5.5', 'room 535', 'rate 5.5'], ['Rate', 'the rate'], ['C++', 'C++ guide', 'C guide']]) {
  let found
  try { found = rank(keyword, documents) } catch (error) { found = error.message }
  console.log(`${keyword}: ${found || 'nothing'}`)
}
END

node -p "'okapibm25 ' + JSON.parse(fs.readFileSync('node_modules/okapibm25/package.json')).version"
node rank.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
art: start the heart > art museum
5.5: room 535 > rate 5.5
Rate: nothing
C++: Invalid regular expression: /C++/g: Nothing to repeat
END
