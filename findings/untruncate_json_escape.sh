#!/usr/bin/env bash
# untruncate-json spoils JSON that is whole where a text ends with an escaped character: it adds a quotation mark and a
# brace.
#
# Expected: JSON that is complete is given back as it is; "caf\u00e9" is café, as Python writes it by default.
# Seen with untruncate-json 0.0.1 (Node 20), made for answers of models that broke off: after \u and four digits it
# takes the quotation mark that ends the text for a part of it, so that the text goes on to the end of the answer, and
# is ended there once more. The next quotation mark, or a second escape, sets it right again, so that it depends on
# what follows; an answer that did break off behind such a text is not mended.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error untruncate-json@0.0.1

cat > close.mjs <<'END'
import untruncate from 'untruncate-json'
const close = untruncate.default ?? untruncate
for (const json of [String.raw`{"name":"caf\u00e9 au lait"}`, String.raw`{"name":"caf\u00e9"}`, String.raw`["\u4f60"]`, String.raw`["\u4f60\u597d"]`, String.raw`{"name":"caf\u00e9","dose":5}`, String.raw`{"name":"caf\u00e9","dose":"5`, '{"name":"café"}', '{"name":"café","dose":"5']) {
  const closed = close(json)
  let read
  try { read = JSON.stringify(JSON.parse(closed)) } catch { read = 'no JSON' }
  console.log(`${json} -> ${closed}: ${read}`)
}
END

node -p "'untruncate-json ' + JSON.parse(fs.readFileSync('node_modules/untruncate-json/package.json')).version"
node close.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
{"name":"caf\u00e9 au lait"} -> {"name":"caf\u00e9 au lait"}: {"name":"café au lait"}
{"name":"caf\u00e9"} -> {"name":"caf\u00e9"}"}: no JSON
["\u4f60"] -> ["\u4f60"]"]: no JSON
["\u4f60\u597d"] -> ["\u4f60\u597d"]: ["你好"]
{"name":"caf\u00e9","dose":5} -> {"name":"caf\u00e9","dose":5}: {"name":"café","dose":5}
{"name":"caf\u00e9","dose":"5 -> {"name":"caf\u00e9","dose":"5}: no JSON
{"name":"café"} -> {"name":"café"}: {"name":"café"}
{"name":"café","dose":"5 -> {"name":"café","dose":"5"}: {"name":"café","dose":"5"}
END
