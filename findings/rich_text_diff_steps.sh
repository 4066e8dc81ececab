#!/usr/bin/env bash
# rich-text-diff numbers the steps of a Markdown text anew: 3 and 4 become 0 and 1.
#
# Expected: the comparison of two texts is the newer one with what was added and removed in <ins> and <del>; what is
# the same in both stays as it is.
# Seen with rich-text-diff 0.2.3 (Node 20): every numbered list begins with 0, and a step that was changed is two
# steps, so that all behind it move by one: "see step 4" names none. That a dose was made bold, or a word struck out,
# is not marked at all, as only texts are compared.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error rich-text-diff@0.2.3

cat > compare.mjs <<'END'
import richTextDiff from 'rich-text-diff'
const compare = richTextDiff.default ?? richTextDiff
for (const [before, after] of [['Take 5 mg', 'Take 10 mg'], ['3. Mix.\n4. Take 5 mg.\n5. Rest.', '3. Mix.\n4. Take 10 mg.\n5. Rest.'], ['1. Mix.\n\nRest.', '1. Mix.\n\nSleep.'],
  ['- Mix.\n\nRest.', '- Mix.\n\nSleep.'], ['Take 5 mg', 'Take ~~5~~ mg']]) {
  console.log(`${JSON.stringify(before)}, ${JSON.stringify(after)} -> ${JSON.stringify(compare(before, after))}`)
}
END

node -p "'rich-text-diff ' + JSON.parse(fs.readFileSync('node_modules/rich-text-diff/package.json')).version"
node compare.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"Take 5 mg", "Take 10 mg" -> "Take <del>5</del><ins>10</ins> mg"
"3. Mix.\n4. Take 5 mg.\n5. Rest.", "3. Mix.\n4. Take 10 mg.\n5. Rest." -> "0. Mix.\n1. <del>Take 5 mg.</del>\n2. <ins>Take 10 mg.</ins>\n3. Rest."
"1. Mix.\n\nRest.", "1. Mix.\n\nSleep." -> "0. Mix.\n\n<del>Rest</del><ins>Sleep</ins>."
"- Mix.\n\nRest.", "- Mix.\n\nSleep." -> "- Mix.\n\n<del>Rest</del><ins>Sleep</ins>."
"Take 5 mg", "Take ~~5~~ mg" -> "Take ~~5~~ mg"
END
