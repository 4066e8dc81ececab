#!/usr/bin/env bash
# chinese-numbers-converter takes the point out of a number, and makes it up to a hundred times as large.
#
# Expected: 一点五万 (1.5 × 10000) is 15000, or is left as it is.
# Seen with chinese-numbers-converter 2.3.1 (Node 20): as a number it is 150000, and in a sentence "1点50000"; 三点一四
# (3.14) is 314 and "3点14". 百分之三十 (30 %) becomes "100分之30" there.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error chinese-numbers-converter@2.3.1

cat > read.js <<'END'
const { ChineseNumber } = require('chinese-numbers-converter')
const Reader = ChineseNumber || require('chinese-numbers-converter')
for (const number of ['一万五千', '一点五万', '三点一四']) console.log(`${number} ${new Reader(number).toInteger()}`)
for (const text of ['共一万五千人', '共一点五万人', '约三点一四米', '占百分之三十']) console.log(`${text} ${new Reader(text).toArabicString()}`)
END

node -p "'chinese-numbers-converter ' + JSON.parse(fs.readFileSync('node_modules/chinese-numbers-converter/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
一万五千 15000
一点五万 150000
三点一四 314
共一万五千人 共15000人
共一点五万人 共1点50000人
约三点一四米 约3点14米
占百分之三十 占100分之30
END
