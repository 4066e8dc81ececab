#!/usr/bin/env bash
# fast-fuzzy finds 5.5 and 55 equal, and C++, C# and C.
#
# Expected: two strings that differ are less alike than two that are the same: 1 is for those that are the same.
# Seen with fast-fuzzy 1.12.0 (Node 20): signs are left out before it compares, so that each of these has 1, and the
# order among them is that of the list. Chinese signs are none for it: 血压。 is no more like 血压 than like 高血压.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error fast-fuzzy@1.12.0

cat > search.mjs <<'END'
import { search } from 'fast-fuzzy'
for (const [term, ...list] of [['5.5', '55', '5.5'], ['C++', 'C', 'C#', 'C++'], ['-5', '5', '-5'], ['血压。', '高血压', '血压']]) {
  console.log(`${term}: ${search(term, list, { returnMatchData: true }).map(({ item, score }) => `${item} ${score.toFixed(2)}`).join(', ')}`)
}
END

node -p "'fast-fuzzy ' + JSON.parse(fs.readFileSync('node_modules/fast-fuzzy/package.json')).version"
node search.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
5.5: 55 1.00, 5.5 1.00
C++: C 1.00, C# 1.00, C++ 1.00
-5: 5 1.00, -5 1.00
血压。: 血压 0.67, 高血压 0.67
END
