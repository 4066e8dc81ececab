#!/usr/bin/env bash
# hiff finds no difference between 5<b>0</b> mg and 5 <b>0</b> mg.
#
# Expected: it passes over what readers do not see, as more blanks where there is one; a blank between two pieces of a
# line where there was none is seen, and so are the blanks of <pre>.
# Seen with hiff 0.3.1 (Node 20): blanks at the beginning and the end of each piece of text count for nothing, so that
# 50 is the same as 5 and 0, 10<sup>6</sup> the same as 10 with a remark 6, and "un<b>do</b>" as "un <b>do</b>".
# Without an element between them, "50" and "5 0" differ.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error hiff@0.3.1

cat > compare.mjs <<'END'
import hiff from 'hiff'
for (const [before, after] of [['<p>Take 50 mg</p>', '<p>Take 5 0 mg</p>'], ['<p>Take 5<b>0</b> mg</p>', '<p>Take 5 <b>0</b> mg</p>'], ['<p>10<sup>6</sup></p>', '<p>10 <sup>6</sup></p>'],
  ['<p>un<b>do</b></p>', '<p>un <b>do</b></p>'], ['<pre>a  b\n  c</pre>', '<pre>a b c</pre>'], ['<p>Take 5 mg</p>', '<p>Take  5 mg</p>']]) {
  console.log(`${JSON.stringify(before)} ${JSON.stringify(after)} -> ${hiff.compare(before, after).different ? 'different' : 'the same'}`)
}
END

node -p "'hiff ' + JSON.parse(fs.readFileSync('node_modules/hiff/package.json')).version"
node compare.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"<p>Take 50 mg</p>" "<p>Take 5 0 mg</p>" -> different
"<p>Take 5<b>0</b> mg</p>" "<p>Take 5 <b>0</b> mg</p>" -> the same
"<p>10<sup>6</sup></p>" "<p>10 <sup>6</sup></p>" -> the same
"<p>un<b>do</b></p>" "<p>un <b>do</b></p>" -> the same
"<pre>a  b\n  c</pre>" "<pre>a b c</pre>" -> the same
"<p>Take 5 mg</p>" "<p>Take  5 mg</p>" -> the same
END
