#!/usr/bin/env bash
# Citation.js leaves "van" and "de" out of the names that it writes into RIS: van Beethoven is Beethoven.
#
# Expected: the particle of a name in CSL is written with it, "van Beethoven, L", as the same library has it in BibTeX.
# Seen with @citation-js/plugin-ris 0.8.2, plugin-bibtex 0.8.2 and core 0.8.2 (Node 20): "de la Cruz" is Cruz for the
# program that reads the file, no longer the same person. The other kind of particle, which some styles leave out ("von
# Humboldt"), is gone in both. The comma in the name of an institution makes a first name of its town.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @citation-js/core@0.8.2 @citation-js/plugin-ris@0.8.2 @citation-js/plugin-bibtex@0.8.2

cat > write.mjs <<'END'
import { Cite } from '@citation-js/core'
import '@citation-js/plugin-bibtex'
import '@citation-js/plugin-ris'
for (const author of [{ 'non-dropping-particle': 'van', family: 'Beethoven', given: 'L' }, { 'non-dropping-particle': 'de la', family: 'Cruz', given: 'Ana' }, { 'dropping-particle': 'von', family: 'Humboldt', given: 'A' }, { family: 'Roe', given: 'Ann', suffix: 'Jr.' }, { literal: 'Institute for Doses, Basel' }]) {
  const book = new Cite([{ type: 'book', id: 'doses', title: 'Doses', author: [author] }])
  const ris = book.format('ris')
  console.log(JSON.stringify(author))
  console.log(`  BibTeX: ${book.format('bibtex').match(/author = \{(.*)\},/)[1]}\n  RIS:    ${ris.match(/AU  - (.*)/)[1]}\n  again:  ${JSON.stringify(new Cite(ris).data[0].author[0])}`)
}
END

for package in core plugin-bibtex plugin-ris; do
  node -p "'@citation-js/$package ' + JSON.parse(fs.readFileSync('node_modules/@citation-js/$package/package.json')).version"
done
node write.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
{"non-dropping-particle":"van","family":"Beethoven","given":"L"}
  BibTeX: van Beethoven, L
  RIS:    Beethoven, L
  again:  {"family":"Beethoven","given":"L"}
{"non-dropping-particle":"de la","family":"Cruz","given":"Ana"}
  BibTeX: de la Cruz, Ana
  RIS:    Cruz, Ana
  again:  {"family":"Cruz","given":"Ana"}
{"dropping-particle":"von","family":"Humboldt","given":"A"}
  BibTeX: Humboldt, A
  RIS:    Humboldt, A
  again:  {"family":"Humboldt","given":"A"}
{"family":"Roe","given":"Ann","suffix":"Jr."}
  BibTeX: Roe, Jr., Ann
  RIS:    Roe, Ann, Jr.
  again:  {"family":"Roe","given":"Ann","suffix":"Jr."}
{"literal":"Institute for Doses, Basel"}
  BibTeX: {Institute for Doses, Basel}
  RIS:    Institute for Doses, Basel
  again:  {"family":"Institute for Doses","given":"Basel"}
END
