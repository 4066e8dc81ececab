#!/usr/bin/env bash
# keyword-extractor makes 05 of 0.5 mg and 625 of 62.5, and of sections 1.12 and 11.2 the same word.
#
# Expected: 0.5, or nothing, as other libraries part words at signs; 120/80 stays as it is.
# Seen with keyword-extractor 0.3.0 (Node 20): points and commas are taken out of words, also between digits, in each of
# its languages, so that a note is filed under ten times its dose, and example.org is one word. No option keeps them;
# the words are in the order of the text, and nothing tells that one was changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error --ignore-scripts keyword-extractor@0.3.0

cat > read.js <<'END'
const extractor = require('keyword-extractor')
const show = (text, options) => console.log(`${options.language}, ${JSON.stringify(text)} -> ${extractor.extract(text, options).join(' | ')}`)
for (const text of ['Take 0.5 mg of B12, not 5.0.', 'Pressure 120/80, pulse 62.5.', 'See section 1.12 and 11.2.', 'pH 7.4 at example.org', 'Meet Ann at 8.30.']) show(text, { language: 'english' })
show('Nimm 0,5 mg und 12,5 ml.', { language: 'german' })
show('Prenez 2,5 ml.', { language: 'french' })
END

node -p "'keyword-extractor ' + JSON.parse(fs.readFileSync('node_modules/keyword-extractor/package.json')).version"
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
english, "Take 0.5 mg of B12, not 5.0." -> 05 | mg | B12 | 50
english, "Pressure 120/80, pulse 62.5." -> Pressure | 120/80 | pulse | 625
english, "See section 1.12 and 11.2." -> section | 112 | 112
english, "pH 7.4 at example.org" -> pH | 74 | exampleorg
english, "Meet Ann at 8.30." -> Meet | Ann | 830
german, "Nimm 0,5 mg und 12,5 ml." -> Nimm | 05 | mg | 125 | ml
french, "Prenez 2,5 ml." -> Prenez | 25 | ml
END
