#!/usr/bin/env bash
# Reactive Agents' chunker by sentences drops what follows the last full stop, most of a Chinese text with 5.5 in it.
#
# Expected: the chunks of a document are the document, whatever its last line ends with: a list, a table and a heading
# end with no full stop, and 。 ends a Chinese sentence.
# Seen with @reactive-agents/tools 0.9.0 (Node 20): what has no ".", "!" or "?" behind it is in no chunk and nothing is
# said. Of 每天5.5毫克。饭后服用。 the chunk "每天5." is left; without a number that has a point, all of it is one chunk. A
# point within a number ends a sentence: 3.5 is "3." and "5". By paragraphs nothing is lost.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts @reactive-agents/tools@0.9.0

cat > cut.mjs <<'END'
import { chunkDocument } from '@reactive-agents/tools'
const texts = ['Take it twice a day. Not with:\n- milk\n- 10 drops of oil', '每天5.5毫克。饭后服用。', '每天五毫克。饭后服用。', 'Take 3.5 mg.']
for (const text of texts) {
  for (const strategy of ['sentence', 'paragraph']) console.log(`${strategy}: ${JSON.stringify(chunkDocument(text, { strategy, maxChunkSize: 1000, overlap: 0 }))}`)
}
END

node -p "'@reactive-agents/tools ' + JSON.parse(fs.readFileSync('node_modules/@reactive-agents/tools/package.json')).version"
node cut.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
sentence: ["Take it twice a day."]
paragraph: ["Take it twice a day. Not with:\n- milk\n- 10 drops of oil"]
sentence: ["每天5."]
paragraph: ["每天5.5毫克。饭后服用。"]
sentence: ["每天五毫克。饭后服用。"]
paragraph: ["每天五毫克。饭后服用。"]
sentence: ["Take 3.\n\n5 mg."]
paragraph: ["Take 3.5 mg."]
END
