#!/usr/bin/env bash
# Chonkie for JavaScript loses letters of a text that has Chinese before them.
#
# Expected: the pieces of a text, one after the other, are the text: RecursiveChunker has no overlap by default, and
# the start and end of each piece are places in the text.
# Seen with @chonkiejs/core 0.0.11 (Node 20): blanks stand in the place of letters, "Take two." is " ake  wo." and "go."
# is " o. ", though start and end of each piece are right. Without the Chinese before it, English is as it was.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @chonkiejs/core@0.0.11

cat > cut.mjs <<'END'
import { RecursiveChunker } from '@chonkiejs/core'
const chunker = await RecursiveChunker.create({ chunkSize: 12 })
for (const text of ['Take one. Take two. Wait. Then go.', '服药。\n\nTake one. Take two. Wait. Then go.']) {
  for (const piece of await chunker.chunk(text)) console.log(JSON.stringify(piece.text), JSON.stringify(text.slice(piece.startIndex, piece.endIndex)))
}
END

node -p "'@chonkiejs/core ' + JSON.parse(fs.readFileSync('node_modules/@chonkiejs/core/package.json')).version"
timeout 60 node cut.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Take one." "Take one."
" Take two." " Take two."
" Wait. Then" " Wait. Then"
" go." " go."
"服药。\n\nTake on" "服药。\n\nTake on"
"e. " "e. "
" ake  wo. " "Take two. "
" ait. Then " "Wait. Then "
" o. " "go."
END
