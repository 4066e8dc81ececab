#!/usr/bin/env bash
# words-to-numbers makes "half a tablet" of a dose "half 1 tablet", and "two and a half" "2 and 1 half".
#
# Expected: "a" is a number before hundred or thousand, as in its readme ("a thousand"), and elsewhere the article, as it
# stays where it stands alone.
# Seen with words-to-numbers 1.5.1 (Node 20): in a sentence every "a" is 1, and "wait a second" is "wait 1 2", as it knows
# ordinals, too. "Fifty and one hundred" is 150, "twenty and one" 21, though "one and two" stay two numbers.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error words-to-numbers@1.5.1

cat > read.js <<'END'
const { wordsToNumbers } = require('words-to-numbers')
for (const text of ['a', 'a tablet', 'a thousand', 'half a tablet', 'two and a half', 'ten a day', 'once a day', 'wait a second', 'take two and a spoon of tea', 'fifty and one hundred', 'one and two', 'between ten and twenty', 'hundred and fifty', 'twenty and one', 'ten fifteen']) console.log(`${text}: ${wordsToNumbers(text)}`)
END

node -p "'words-to-numbers ' + JSON.parse(fs.readFileSync('node_modules/words-to-numbers/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
a: a
a tablet: 1 tablet
a thousand: 1000
half a tablet: half 1 tablet
two and a half: 2 and 1 half
ten a day: 10 1 day
once a day: once 1 day
wait a second: wait 1 2
take two and a spoon of tea: take 2 and 1 spoon of tea
fifty and one hundred: 150
one and two: 1 and 2
between ten and twenty: between 10 and 20
hundred and fifty: 150
twenty and one: 21
ten fifteen: 10 15
END
