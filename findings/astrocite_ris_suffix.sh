#!/usr/bin/env bash
# astrocite-ris takes the first name of an author for what follows the name, and "Jr." for the first name.
#
# Expected: RIS writes last name, first name and suffix in this order: of "Roe, Ann, Jr." the first name is Ann, as
# @citation-js/plugin-ris reads it. In BibTeX, of the same library, the suffix stands in the middle.
# Seen with astrocite-ris 0.16.4 and @citation-js/plugin-ris 0.8.2 (Node 20): the author is Jr. Roe, Ann. An
# organisation, whose name has no comma, is a person with the first name World, the editor of the book is one of the
# authors of a chapter in it, and of two notes the last is kept.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error astrocite-ris@0.16.4 @citation-js/core@0.8.2 @citation-js/plugin-ris@0.8.2

cat > read.js <<'END'
const { parse } = require('astrocite-ris')
const { Cite } = require('@citation-js/core')
require('@citation-js/plugin-ris')
const ris = 'TY  - CHAP\nAU  - Roe, Ann, Jr.\nAU  - World Health Organization\nA2  - Doe, Jim\nTI  - Dose\nT2  - Book\nPY  - 2020\nN1  - one\nN1  - two\nER  - \n'
for (const [name, item] of [['astrocite-ris', parse(ris)[0]], ['@citation-js/plugin-ris', new Cite(ris).data[0]]]) {
  const { author, editor, note } = item
  console.log(name, JSON.stringify({ author, editor, note }))
}
END

for package in astrocite-ris @citation-js/plugin-ris; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node read.js > seen.txt
cat seen.txt
diff seen.txt - <<'END'
astrocite-ris {"author":[{"family":"Roe","given":"Jr.","suffix":"Ann"},{"family":"Health Organization","given":"World"},{"family":"Doe","given":"Jim"}],"note":"two"}
@citation-js/plugin-ris {"author":[{"family":"Roe","given":"Ann","suffix":"Jr."},{"literal":"World Health Organization"}],"editor":[{"family":"Doe","given":"Jim"}],"note":["one","two"]}
END
