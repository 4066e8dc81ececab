#!/usr/bin/env bash
# Chroma's BM25 gives 0.5 mg and 5.0 mg the same vector, "do not take" that of "take", and a Chinese sentence one word.
#
# Expected: a number with its point is a word, or at least two in their order; a Chinese text has the words that a
# question has.
# Seen with @chroma-core/chroma-bm25 0.1.10 and chromadb 3.5.0 (Node 20): a point and a comma part words, whose order
# does not count, so that 1.25 is 25.1 and 1,5 the range 5-1. "not" and "no" are among the words that are left out,
# with "do". 患有高血压 (has high blood pressure) shares no word with 高血压.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @chroma-core/chroma-bm25@0.1.10 chromadb@3.5.0

cat > embed.mjs <<'END'
import { ChromaBm25EmbeddingFunction } from '@chroma-core/chroma-bm25'
const bm25 = new ChromaBm25EmbeddingFunction({})
for (const [one, other] of [['5 mg', '50 mg'], ['0.5 mg', '5.0 mg'], ['1.25', '25.1'], ['1,5', '5-1'], ['do not take', 'take'], ['no pain', 'pain'], ['高血压', '患有高血压'], ['血压 140', '血压']]) {
  const [a, b] = await bm25.generate([one, other])
  const shared = a.indices.filter((index) => b.indices.includes(index)).length
  console.log(`"${one}" and "${other}": ${JSON.stringify(a) === JSON.stringify(b) ? 'the same vector' : 'different'}, ${shared} in common of ${a.indices.length} and ${b.indices.length}`)
}
END

for name in @chroma-core/chroma-bm25 chromadb; do node -p "'$name ' + JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version"; done
node embed.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"5 mg" and "50 mg": different, 1 in common of 2 and 2
"0.5 mg" and "5.0 mg": the same vector, 3 in common of 3 and 3
"1.25" and "25.1": the same vector, 2 in common of 2 and 2
"1,5" and "5-1": the same vector, 2 in common of 2 and 2
"do not take" and "take": the same vector, 1 in common of 1 and 1
"no pain" and "pain": the same vector, 1 in common of 1 and 1
"高血压" and "患有高血压": different, 0 in common of 1 and 1
"血压 140" and "血压": different, 1 in common of 2 and 1
END
