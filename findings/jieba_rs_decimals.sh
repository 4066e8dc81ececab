#!/usr/bin/env bash
# @node-rs/jieba cuts 5.5 into three words, unless it is told to guess words that it does not know.
#
# Expected: the switch "hmm" decides about Chinese words that are not in the dictionary, and is on as in jieba itself:
# 每天5.5毫克 (5.5 mg daily) has the word 5.5.
# Seen with @node-rs/jieba 2.0.3 (Node 20): it is off, and then a number ends at its point, with 3.7% at the sign, too,
# in the cut for a search as well. C++ is one word in both, and 5.5 in both where "hmm" is on.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @node-rs/jieba@2.0.3

cat > cut.mjs <<'END'
import { Jieba } from '@node-rs/jieba'
import { dict } from '@node-rs/jieba/dict.js'
const jieba = Jieba.withDict(dict)
for (const text of ['每天5.5毫克', '涨了3.7%', '用C++写']) {
  for (const options of [[], [true]]) {
    console.log(`${options[0] ? 'hmm' : 'as it is'}: ${jieba.cut(text, ...options).join(' | ')}; ${jieba.cutForSearch(text, ...options).join(' | ')}`)
  }
}
END

node -p "'@node-rs/jieba ' + JSON.parse(fs.readFileSync('node_modules/@node-rs/jieba/package.json')).version"
node cut.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
as it is: 每天 | 5 | . | 5 | 毫克; 每天 | 5 | . | 5 | 毫克
hmm: 每天 | 5.5 | 毫克; 每天 | 5.5 | 毫克
as it is: 涨 | 了 | 3 | . | 7 | %; 涨 | 了 | 3 | . | 7 | %
hmm: 涨 | 了 | 3.7%; 涨 | 了 | 3.7%
as it is: 用 | C++ | 写; 用 | C++ | 写
hmm: 用 | C++ | 写; 用 | C++ | 写
END
