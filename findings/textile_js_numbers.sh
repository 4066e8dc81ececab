#!/usr/bin/env bash
# textile-js makes steps 5 and 6 the steps 6 and 7, and inches of a quotation that ends with a number.
#
# Expected: in Textile "#5" begins a list at 5, as "#3" before a "#" does; a list whose items are all numbered has these
# numbers, or is two lists. A quotation mark that opened before a word is closed behind it: “Chapter 5”.
# Seen with textile-js 2.1.1 (Node 20): the number of the last item that has one is that of the first, so that a reader is
# sent to the wrong step. A closing mark behind a digit is the sign of inches (″) or feet (′), although the opening one
# before it became a quotation mark: a passage that is quoted by its text is not found in the page.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts textile-js@2.1.1

cat > read.js <<'END'
const textile = require('textile-js')
for (const text of ['#3 Mix\n# Rest', '#5 Take 5 mg\n#6 Rest', '#5 Take 5 mg\n#6 Rest\n#9 Stop', 'Read "Chapter 5" first.', "He said 'take 5'.", '"5" and "five"', 'a 5" screen'])
  console.log(`${JSON.stringify(text)}\n  ${textile(text).replace(/\s*\n\s*/g, ' ')}`)
END

node -p "'textile-js ' + JSON.parse(fs.readFileSync('node_modules/textile-js/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"#3 Mix\n# Rest"
  <ol start="3"> <li>Mix</li> <li>Rest</li> </ol>
"#5 Take 5 mg\n#6 Rest"
  <ol start="6"> <li>Take 5 mg</li> <li>Rest</li> </ol>
"#5 Take 5 mg\n#6 Rest\n#9 Stop"
  <ol start="9"> <li>Take 5 mg</li> <li>Rest</li> <li>Stop</li> </ol>
"Read \"Chapter 5\" first."
  <p>Read &#8220;Chapter 5&#8243; first.</p>
"He said 'take 5'."
  <p>He said &#8216;take 5&#8242;.</p>
"\"5\" and \"five\""
  <p>&#8220;5&#8243; and &#8220;five&#8221;</p>
"a 5\" screen"
  <p>a 5&#8243; screen</p>
END
