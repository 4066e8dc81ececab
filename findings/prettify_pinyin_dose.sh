#!/usr/bin/env bash
# prettify-pinyin takes the dose out of a sentence, as if it were a tone: "chi1 5 pian4" (take 5 tablets) becomes
# "chī  piàn".
#
# Expected: a number that is a word of its own is no tone of a syllable, and a syllable without a tone, such as the
# particle "ma", stays as it is, as pinyin-tone 2.4.0 has both.
# Seen with prettify-pinyin 0.1.5 (Node 20): the last digit of every word is a tone: 5 is gone, 15 becomes 1 and 25 mg
# becomes 2 mg; only 6 to 9 and 0 are told of. A word that ends with no tone loses its last letter and gets the letters
# "undefine" of "undefined" in the place of its vowel. Of two syllables with v for ü only the first is read, and "u:", as
# CC-CEDICT has it, for which the readme says the library is used, becomes "ù:".
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts prettify-pinyin@0.1.5

cat > read.js <<'END'
const { prettify } = require('prettify-pinyin')
for (const text of ['ni3 hao3', 'ni3 hao3 ma', 'chi1 5 pian4', 'chi1 15 pian4', 'mei3 tian1 25 mg', 'lu:4 se4', 'lv4 se4 de nv3 ren2'])
  console.log(`${text} -> ${prettify(text)}`)
END

node -p "'prettify-pinyin ' + JSON.parse(fs.readFileSync('node_modules/prettify-pinyin/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
ni3 hao3 -> nǐ hǎo
ni3 hao3 ma -> nǐ hǎo mundefine
chi1 5 pian4 -> chī  piàn
chi1 15 pian4 -> chī 1 piàn
mei3 tian1 25 mg -> měi tiān 2 mg
lu:4 se4 -> lù: sè
lv4 se4 de nv3 ren2 -> lǜ sè dundefine nv3 rén
END
