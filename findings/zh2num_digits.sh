#!/usr/bin/env bash
# @lazy-cjk/zh2num takes a unit that stands behind digits for a number of its own: 3千5百 (3500) is 310005百.
#
# Expected: 3千5百 and 1万5千, digits with units as newspapers write them, are 3500 and 15000, or stay as they are: of
# 三点五, which has a word that it does not know, it gives the rest back unchanged.
# Seen with @lazy-cjk/zh2num 1.0.2 (Node 20): the first unit becomes its number, the last stays: "310005百", "105千",
# "2.50" of 2.5万, which looks like a number. 一万五 is 15000, as people mean it, and 一百五 105, as nobody does. The
# way back, num2zh, drops what follows the point and the one before 百: 110 is 百十.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @lazy-cjk/zh2num@1.0.2

cat > read.js <<'END'
const { num2zh, zh2num } = require('@lazy-cjk/zh2num')
for (const text of ['三千五百', '3千5百', '1万5千', '2.5万', '三点五', '一万五', '一百五']) console.log(text, JSON.stringify(zh2num(text)))
for (const number of [110, 2.5, 10010]) console.log(number, JSON.stringify(num2zh(number)))
END

node -p "'@lazy-cjk/zh2num ' + JSON.parse(fs.readFileSync('node_modules/@lazy-cjk/zh2num/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
三千五百 3500
3千5百 "310005百"
1万5千 "105千"
2.5万 "2.50"
三点五 "3点五"
一万五 15000
一百五 105
110 "百十"
2.5 "二"
10010 "一万十"
END
