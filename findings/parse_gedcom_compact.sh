#!/usr/bin/env bash
# parse-gedcom gives the first residence of a person the date of the second one, and calls a social security number
# "SURN_PREFIX".
#
# Expected: compact() makes an object of a person whose values belong together as they did in the tree: two residences
# (RESI) are two, each with its own place and date; a tag has the name that GEDCOM gives it.
# Seen with parse-gedcom 2.0.1 (Node 20): the first value of each kind is a plain one and those after it are in a list,
# so that a date that only the second residence has stands beside the place of the first. The tag SSN has the name of
# SPFX, the prefix of a surname. Notes and sources of a person are gone.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error parse-gedcom@2.0.1

cat > read.mjs <<'END'
import { parse, compact } from 'parse-gedcom'
const residences = { both: ['1 RESI', '2 PLAC Bern', '2 DATE 1890', '1 RESI', '2 PLAC Basel', '2 DATE 1900'], 'second only': ['1 RESI', '2 PLAC Bern', '1 RESI', '2 PLAC Basel', '2 DATE 1900'] }
for (const [dated, lines] of Object.entries(residences)) {
  const tree = parse(['0 HEAD', '0 @I1@ INDI', '1 NAME Ann /Roe/', '1 SSN 000-00-0000', ...lines, '1 NOTE Moved twice.', '0 TRLR'].join('\n'))
  const person = tree.children[1]
  console.log(dated, 'read:', JSON.stringify(person.children.filter(({ type }) => type === 'RESI').map(({ children }) => children.map(({ value }) => value))))
  const { formal_name, xref_id, ...said } = compact(tree).children[0].data
  console.log(dated, 'compact:', JSON.stringify(said))
}
END

node -p "'parse-gedcom ' + JSON.parse(fs.readFileSync('node_modules/parse-gedcom/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
both read: [["Bern","1890"],["Basel","1900"]]
both compact: {"NAME":"Ann /Roe/","SURN_PREFIX":"000-00-0000","RESIDENCE/PLACE":"Bern","RESIDENCE/DATE":"1890","+RESIDENCE/PLACE":["Basel"],"+RESIDENCE/DATE":["1900"]}
second only read: [["Bern"],["Basel","1900"]]
second only compact: {"NAME":"Ann /Roe/","SURN_PREFIX":"000-00-0000","RESIDENCE/PLACE":"Bern","+RESIDENCE/PLACE":["Basel"],"RESIDENCE/DATE":"1900"}
END
