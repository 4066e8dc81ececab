#!/usr/bin/env bash
# pangu changes what numbers say: a minus becomes a dash.
#
# Expected: it puts a blank between a Chinese character and a letter or digit, and leaves what stands between digits.
# Seen with pangu 7.2.1 (Node 20): 温度-5℃ becomes 温度 - 5℃, of which the number is 5, and 血压120/80 (a blood pressure)
# becomes 120 / 80, so that a search for 120/80 no longer finds it. The 1:2 of a ratio stays.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error pangu@7.2.1

cat > space.mjs <<'END'
import { pangu } from 'pangu'
for (const text of ['温度-5℃', '血压120/80mmHg', '120/80的血压', '比例1:2', '维生素B12']) console.log(`${text}: ${pangu.spacingText(text)}`)
END

node -p "'pangu ' + JSON.parse(fs.readFileSync('node_modules/pangu/package.json')).version"
node space.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
温度-5℃: 温度 - 5℃
血压120/80mmHg: 血压 120 / 80mmHg
120/80的血压: 120 / 80 的血压
比例1:2: 比例 1:2
维生素B12: 维生素 B12
END
