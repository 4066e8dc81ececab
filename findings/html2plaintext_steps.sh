#!/usr/bin/env bash
# html2plaintext says the steps within a step twice, once as one word with it, and counts them with the others.
#
# Expected: "1. Mix" with two steps of its own, and "2. Rest", as browsers show it; a list that begins with 3 has a 3.
# Seen with html2plaintext 2.1.4 (Node 20): an item is all text within it, joined with nothing between, and each item in
# it comes once more behind it with the next number: "1. MixTake 510 drops", so that "Rest" is step 4. Two paragraphs of
# an item are one word, and no list begins with another number than 1; paragraphs outside of lists are apart.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts html2plaintext@2.1.4

cat > read.js <<'END'
const plain = require('html2plaintext')
for (const html of [
  '<ol><li>Mix<ol><li>Take 5</li><li>10 drops</li></ol></li><li>Rest</li></ol>',
  '<ul><li>Take 5<ul><li>10 drops</li></ul></li></ul>', '<ul><li><p>Take 5</p><p>10 drops</p></li></ul>', '<ol start="3"><li>Rest</li></ol>', '<p>5</p><p>10</p>'
]) console.log(`${html}\n  ${JSON.stringify(plain(html))}`)
END

node -p "'html2plaintext ' + JSON.parse(fs.readFileSync('node_modules/html2plaintext/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
<ol><li>Mix<ol><li>Take 5</li><li>10 drops</li></ol></li><li>Rest</li></ol>
  "1. MixTake 510 drops\n2. Take 5\n3. 10 drops\n4. Rest"
<ul><li>Take 5<ul><li>10 drops</li></ul></li></ul>
  "- Take 510 drops\n- 10 drops"
<ul><li><p>Take 5</p><p>10 drops</p></li></ul>
  "- Take 510 drops"
<ol start="3"><li>Rest</li></ol>
  "1. Rest"
<p>5</p><p>10</p>
  "5\n\n10"
END
