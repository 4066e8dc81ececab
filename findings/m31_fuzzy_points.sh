#!/usr/bin/env bash
# @m31coding/fuzzy-search finds 55 mg for 5.5 mg with the best quality there is, and >5 for <5.
#
# Expected: 5.5 mg is found first, and 55 mg behind it with less, as 50 mg is for 5 mg.
# Seen with @m31coding/fuzzy-search 2.0.0 (Node 20), as it is by default: what is neither a letter of Latin nor a digit
# is removed from words and questions before they are compared, so that 5.5 and 55, 0.5 and 05, 10⁶ and 106, <5 and >5
# are equal (3.00), and 5毫克 is 5. A comma and a hyphen part words.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error @m31coding/fuzzy-search@2.0.0

cat > find.mjs <<'END'
import { Query, SearcherFactory } from '@m31coding/fuzzy-search'
const find = (terms, question) => {
  const searcher = SearcherFactory.createDefaultSearcher()
  searcher.indexEntities(terms, (term) => term, (term) => [term])
  return searcher.getMatches(new Query(question)).matches.map(({ entity, quality }) => `${entity} (${quality.toFixed(2)})`).sort().join(', ')
}
for (const [terms, question] of [[['5 mg', '50 mg'], '5 mg'], [['5.5 mg', '55 mg'], '5.5 mg'], [['0.5 mg', '05 mg'], '0.5 mg'], [['<5 mg', '>5 mg'], '<5 mg'], [['10⁶', '106'], '10⁶'], [['1,5 mg', '15 mg'], '1,5 mg'], [['5毫克', '5'], '5毫克']]) {
  console.log(`${question} in ${terms.join(' and ')} -> ${find(terms, question)}`)
}
END

node -p "'@m31coding/fuzzy-search ' + JSON.parse(fs.readFileSync('node_modules/@m31coding/fuzzy-search/package.json')).version"
node find.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
5 mg in 5 mg and 50 mg -> 5 mg (3.00), 50 mg (0.63)
5.5 mg in 5.5 mg and 55 mg -> 5.5 mg (3.00), 55 mg (3.00)
0.5 mg in 0.5 mg and 05 mg -> 0.5 mg (3.00), 05 mg (3.00)
<5 mg in <5 mg and >5 mg -> <5 mg (3.00), >5 mg (3.00)
10⁶ in 10⁶ and 106 -> 106 (3.00), 10⁶ (3.00)
1,5 mg in 1,5 mg and 15 mg -> 1,5 mg (3.00), 15 mg (0.54)
5毫克 in 5毫克 and 5 -> 5 (3.00), 5毫克 (3.00)
END
