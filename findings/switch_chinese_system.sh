#!/usr/bin/env bash
# switch-chinese, which looks at words, writes several of the commonest with a wrong character.
#
# Expected: 制度, 下游, 伙食 and 佣金 are the same in traditional Chinese: the library knows that 制造 is 製造, and has words
# for what depends on the word.
# Seen with switch-chinese 1.0.16 (Node 20): 製度, 下遊, 夥食 and 傭金; opencc-js 1.4.2 leaves them. Other words are those
# of Taiwan, which nobody asked for: 软件 is 軟體, 鼠标 is 滑鼠.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error switch-chinese@1.0.16 opencc-js@1.4.2

cat > convert.js <<'END'
import switchChinese from 'switch-chinese'
import { Converter } from 'opencc-js'

const own = switchChinese()
const other = Converter({ from: 'cn', to: 'tw' })
for (const word of ['制造', '制度', '体制', '下游', '伙食', '佣金', '浓郁', '软件', '鼠标']) console.log(word, own.traditionalized(word), other(word))
END

for package in switch-chinese opencc-js; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node convert.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
制造 製造 製造
制度 製度 制度
体制 體製 體制
下游 下遊 下游
伙食 夥食 伙食
佣金 傭金 佣金
浓郁 濃鬱 濃郁
软件 軟體 軟件
鼠标 滑鼠 鼠標
END
