#!/usr/bin/env bash
# nzh reads a number that is written with 两 as if that character were not there.
#
# Expected: 两 is 2, as people write it before 百, 千 and 万, or the result is NaN.
# Seen with nzh 1.0.14 (Node 20): 两万 is 0 and 两百五十 is 50; 二万 is 20000. Any other character is passed over, too:
# 百分之三十 (30 %) is 130, the hundred, and the thirty.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error nzh@1.0.14

cat > read.js <<'END'
const { cn } = require('nzh')
for (const number of ['二万', '两万', '二百五十', '两百五十', '廿五', '百分之三十']) console.log(`${number} ${cn.decodeS(number)}`)
END

node -p "'nzh ' + JSON.parse(fs.readFileSync('node_modules/nzh/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
二万 20000
两万 0
二百五十 250
两百五十 50
廿五 5
百分之三十 130
END
