#!/usr/bin/env bash
# Orama with its tokenizer for Chinese finds English words only in the capitals in which they were written.
#
# Expected: "blood" finds "Blood pressure", as it does with every other language of Orama, and "iphone" finds iPhone手机.
# Seen with @orama/orama 3.1.18 and @orama/tokenizers 3.1.18 (Node 20): the tokenizer keeps capitals, of documents and
# questions alike. Chinese words are found.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @orama/orama@3.1.18 @orama/tokenizers@3.1.18

cat > search.mjs <<'END'
import { create, insert, search } from '@orama/orama'
import { createTokenizer } from '@orama/tokenizers/mandarin'
for (const [name, options] of [['english', { language: 'english' }], ['mandarin', { components: { tokenizer: createTokenizer() } }]]) {
  const db = create({ schema: { text: 'string' }, ...options })
  for (const text of ['Blood pressure', 'iPhone手机的电池', '高血压的治疗']) await insert(db, { text })
  for (const term of ['Blood', 'blood', 'iPhone', 'iphone', '电池']) {
    console.log(`${name} ${term}: ${(await search(db, { term })).hits.map((hit) => hit.document.text).join(', ') || 'nothing'}`)
  }
}
END

for package in @orama/orama @orama/tokenizers; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node search.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
english Blood: Blood pressure
english blood: Blood pressure
english iPhone: iPhone手机的电池
english iphone: iPhone手机的电池
english 电池: nothing
mandarin Blood: Blood pressure
mandarin blood: nothing
mandarin iPhone: iPhone手机的电池
mandarin iphone: nothing
mandarin 电池: iPhone手机的电池
END
