#!/usr/bin/env bash
# written-number says 2.5 as "three" and -5 as nothing, and numbered reads "minus five" as 5 and "two and a half" as 2.
#
# Expected: the words of the number, or an error; "minus five" is -5 as "negative five" is, which numbered writes.
# Seen with written-number 0.11.1 and numbered 1.1.0 (Node 20): the first rounds to a whole number in every language,
# 0.5 to one and 0.4 to zero, and German, which it does not know, is English. The second passes over words that it does
# not know, so that half is 0, three quarters are 3, five to ten are 50 and two dozen are 2. No error is told.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error written-number@0.11.1 numbered@1.1.0

cat > say.mjs <<'END'
import numbered from 'numbered'
import writtenNumber from 'written-number'
for (const [number, lang] of [[25, 'en'], [2.5, 'en'], [0.5, 'fr'], [0.4, 'es'], [-5, 'en'], [25, 'de']]) {
  console.log(`written-number ${lang} ${number} -> ${JSON.stringify(writtenNumber(number, { lang }))}`)
}
for (const words of ['two point five', 'negative five', 'minus five', 'two and a half', 'half', 'three quarters', 'five to ten', 'two dozen']) {
  console.log(`numbered ${words} -> ${numbered.parse(words)}`)
}
END

for name in written-number numbered; do node -p "'$name ' + JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version"; done
node say.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
written-number en 25 -> "twenty-five"
written-number en 2.5 -> "three"
written-number fr 0.5 -> "un"
written-number es 0.4 -> "cero"
written-number en -5 -> ""
written-number de 25 -> "twenty-five"
numbered two point five -> 2.5
numbered negative five -> -5
numbered minus five -> 5
numbered two and a half -> 2
numbered half -> 0
numbered three quarters -> 3
numbered five to ten -> 50
numbered two dozen -> 2
END
