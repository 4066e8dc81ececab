#!/usr/bin/env bash
# stopword takes "not" out of German, French, Spanish and Chinese, and leaves it in English.
#
# Expected: the lists of its languages have the same kinds of words. In English "not", "no" and "without" are not among
# them, as they turn a sentence around.
# Seen with stopword 3.1.5 (Node 20): nicht, keine and ohne, ne, pas and sans, no and sin are gone, and with them what
# parts a prohibition from an order: of 不要服用 (do not take), cut into words, 要服用 (do take) is left. A search cannot tell
# the two apart, in these languages only.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error stopword@3.1.5

cat > read.mjs <<'END'
import { removeStopwords, eng, deu, fra, spa, zho } from 'stopword'
const texts = [[eng, 'swallow no milk, not without food'], [deu, 'keine Milch nicht ohne Essen nehmen'], [fra, 'ne pas prendre sans manger'], [spa, 'no tomar sin comer'], [zho, '不 要 服用']]
for (const [list, text] of texts) console.log(text, '->', removeStopwords(text.split(' '), list).join(' '))
END

node -p "'stopword ' + JSON.parse(fs.readFileSync('node_modules/stopword/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
swallow no milk, not without food -> swallow no milk, not without food
keine Milch nicht ohne Essen nehmen -> Milch Essen nehmen
ne pas prendre sans manger -> prendre manger
no tomar sin comer -> tomar comer
不 要 服用 -> 要 服用
END
