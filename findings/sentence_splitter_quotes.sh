#!/usr/bin/env bash
# sentence-splitter ends a Chinese sentence before its closing quotation mark, which begins the next one.
#
# Expected: “我头痛。” is one sentence with both marks, as 「我头痛。」 is, and （见上文。） with both brackets.
# Seen with sentence-splitter 5.0.1 (Node 20): it is so with the marks that Chinese is written with, “ and ”, and not
# with those of Japanese; an English sentence in the same marks is whole.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error sentence-splitter@5.0.1

cat > cut.mjs <<'END'
import { split } from 'sentence-splitter'
for (const text of ['他说：“我头痛。”他走了。', '他说：「我头痛。」他走了。', '他走了（见上文。）然后停了。', '“真的吗？”她问。', 'He said: “It hurts.” He left.']) {
  console.log(split(text).filter(({ type }) => type === 'Sentence').map(({ raw }) => raw).join(' | '))
}
END

node -p "'sentence-splitter ' + JSON.parse(fs.readFileSync('node_modules/sentence-splitter/package.json')).version"
node cut.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
他说：“我头痛。 | ”他走了。
他说：「我头痛。」他走了。
他走了（见上文。）然后停了。
“真的吗？ | ”她问。
He said: “It hurts.” He left.
END
