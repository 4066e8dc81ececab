#!/usr/bin/env bash
# compromise reads -5 as 5, three quarters of a cup as 3 and 1,5 as 15.
#
# Expected: the value of a number, as it has it of the same in words: minus five is -5, three quarters 0.75; what it does
# not know, such as ½, is not a number.
# Seen with compromise 14.17.0 (Node 20): numbers().get() leaves out a sign and what stands after a slash, the comma of
# a fraction and the k of 5k. "one half" is 1. No value says that something is left out.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error compromise@14.17.0

cat > read.mjs <<'END'
import nlp from 'compromise'
for (const text of ['minus 5 degrees', '-5 degrees', 'three quarters of a cup', '3/4 cup', 'one half', '1.5 mg', '1,5 mg', '5k steps', 'two and a half tablets', '½ tablet']) {
  console.log(text, '=>', nlp(text).numbers().json().map(({ number }) => number.num).join() || 'none')
}
END

node -p "'compromise ' + JSON.parse(fs.readFileSync('node_modules/compromise/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
minus 5 degrees => -5
-5 degrees => 5
three quarters of a cup => 0.75
3/4 cup => 3
one half => 1
1.5 mg => 1.5
1,5 mg => 15
5k steps => 5
two and a half tablets => 2.5
½ tablet => none
END
