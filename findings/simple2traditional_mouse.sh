#!/usr/bin/env bash
# chinese-simple2traditional changes characters that are the same in both kinds of Chinese, and not back.
#
# Expected: 鼠 (mouse) and 涉, which are written alike in simplified and traditional Chinese, stay as they are; what
# was made of a simplified word leads back to it.
# Seen with chinese-simple2traditional 2.3.2 (Node 20): they become 鼡 and 渉, forms that are rare or Japanese. 苹果
# becomes 蘋菓, and of that toSimplified makes the traditional 蘋果. 噁心 becomes a word with the rare character U+2BAC7.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error chinese-simple2traditional@2.3.2

cat > convert.mjs <<'END'
import * as all from 'chinese-simple2traditional'
const { toTraditional, toSimplified } = all.toTraditional ? all : all.default
for (const word of ['鼠标', '干涉', '苹果']) console.log(`${word} ${toTraditional(word)} ${toSimplified(toTraditional(word))}`)
console.log(`噁心 ${toSimplified('噁心')}`)
END

node -p "'chinese-simple2traditional ' + JSON.parse(fs.readFileSync('node_modules/chinese-simple2traditional/package.json')).version"
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
鼠标 鼡標 鼠标
干涉 幹渉 干涉
苹果 蘋菓 蘋果
噁心 𫫇心
END
