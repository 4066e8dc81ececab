#!/usr/bin/env bash
# lande is nearly certain that Chinese words for diseases are Korean: 血压 (blood pressure) with 1.00 of 1.
#
# Expected: Chinese characters are Chinese or Japanese, kana are Japanese, and Korean has a script of its own; a text that
# is too short to tell gets a low share, or shares alike.
# Seen with lande 1.0.10 (Node 20): what its net does not know counts as nothing at all, so that short texts of different
# languages get the same shares to the last digit, most of them for Korean; a German word with "ß" is Chinese. No share
# says that the answer is a guess, so that a note or a question of a word or two is sent to the wrong dictionary.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts lande@1.0.10

cat > read.mjs <<'END'
import lande from 'lande'
for (const text of ['血压', '高血压', '糖尿病患者', '服药后休息', '薬を飲む', '日本', 'Größe', 'Åsa', 'μg', '每天吃两片阿司匹林'])
  console.log(`${text} -> ${lande(text).slice(0, 2).map(([language, share]) => `${language} ${share.toFixed(2)}`).join(', ')}`)
END

node -p "'lande ' + JSON.parse(fs.readFileSync('node_modules/lande/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
血压 -> kor 1.00, cmn 0.00
高血压 -> kor 1.00, cmn 0.00
糖尿病患者 -> kor 0.87, cmn 0.13
服药后休息 -> kor 0.87, cmn 0.13
薬を飲む -> kor 0.98, cmn 0.02
日本 -> kor 1.00, cmn 0.00
Größe -> cmn 0.86, hin 0.03
Åsa -> swe 1.00, kor 0.00
μg -> kor 0.99, bul 0.00
每天吃两片阿司匹林 -> cmn 0.82, jpn 0.12
END
