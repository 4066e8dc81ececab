#!/usr/bin/env bash
# usfm-js leaves out the second half of a verse, and all verses of the chapter after it.
#
# Expected: "\v 4a" and "\v 4b" are the halves of a verse, as USFM lets a number have a letter; both are read, and so is
# verse 5. What is read and written says the same.
# Seen with usfm-js 3.4.3 (Node 20): the letter goes, so that the second half is a verse 4 that exists already, and it
# and what follows is dropped. The list of two verses in "\v 2,3", and a bridge that ends in a half one, "\v 1-2a",
# leave their end in the text of the verse: "-2a One."
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error usfm-js@3.4.3

cat > read.js <<'END'
const { toJSON, toUSFM } = require('usfm-js')
for (const verses of [['3 One.', '4 Two.', '5 Three.'], ['1-2 One.', '3 Two.'], ['3 One.', '4a Two.', '4b Three.', '5 Four.'], ['1-2a One.', '2b Two.', '3 Three.'], ['2,3 One.', '4 Two.']]) {
  const text = `\\id GEN\n\\c 1\n\\p\n${verses.map((verse) => `\\v ${verse}\n`).join('')}`
  const json = toJSON(text)
  const read = Object.entries(json.chapters[1]).filter(([name]) => name !== 'front').map(([name, { verseObjects }]) => `${name}: ${verseObjects[0].text.trim()}`)
  console.log(`${verses.join(' | ')}\n  read:    ${read.join(' | ')}\n  written: ${toUSFM(json).split('\n').filter((line) => line.startsWith('\\v')).join(' ')}`)
}
END

node -p "'usfm-js ' + JSON.parse(fs.readFileSync('node_modules/usfm-js/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
3 One. | 4 Two. | 5 Three.
  read:    3: One. | 4: Two. | 5: Three.
  written: \v 3 One. \v 4 Two. \v 5 Three.
1-2 One. | 3 Two.
  read:    3: Two. | 1-2: One.
  written: \v 1-2 One. \v 3 Two.
3 One. | 4a Two. | 4b Three. | 5 Four.
  read:    3: One. | 4: Two.
  written: \v 3 One. \v 4  Two.
1-2a One. | 2b Two. | 3 Three.
  read:    1: -2a One. | 2: Two. | 3: Three.
  written: \v 1 -2a One. \v 2  Two. \v 3 Three.
2,3 One. | 4 Two.
  read:    2: ,3 One. | 4: Two.
  written: \v 2 ,3 One. \v 4 Two.
END
