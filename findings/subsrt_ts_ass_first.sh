#!/usr/bin/env bash
# subsrt-ts reads captions of ASS without their first character, also those that it wrote.
#
# Expected: the text of a caption is what follows the ninth comma of its line, whole.
# Seen with subsrt-ts 2.1.2 and subsrt 1.1.1, from which it was made (Node 20): "5 mg" becomes " mg" on the way from
# ASS to SRT, and a code at the beginning loses its brace and is text. subsrt has the whole line.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error subsrt-ts@2.1.2 subsrt@1.1.1

cat > plan.ass <<'END'
[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize
Style: Default,Arial,20

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,5 mg, twice
Dialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\i1}Slowly{\i0}
END
cat > read.js <<'END'
const fs = require('fs')
const file = fs.readFileSync('plan.ass', 'utf8')
for (const name of ['subsrt', 'subsrt-ts']) {
  const library = require(name).default || require(name)
  const texts = (ass) => JSON.stringify(library.parse(ass, { format: 'ass' }).filter(({ type }) => type === 'caption').map(({ text }) => text))
  const caption = { type: 'caption', index: 1, start: 1000, end: 2000, duration: 1000, content: 'Rest', text: 'Rest' }
  console.log(name, texts(file), 'its own:', texts(library.build([caption], { format: 'ass' })))
}
END

for package in subsrt-ts subsrt; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
subsrt ["5 mg, twice","Slowly"] its own: ["Rest"]
subsrt-ts [" mg, twice","\\i1}Slowly"] its own: ["est"]
END
