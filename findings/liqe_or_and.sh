#!/usr/bin/env bash
# Liqe, a query language like Lucene's, finds 50 and 1.5 where 5 is asked for, and lets AND bind no closer than OR.
#
# Expected: dose:5 is a dose of 5, as dose:>5 compares numbers; "a OR b AND c" is a, or both b and c, as in SQL and in
# JavaScript.
# Seen with liqe 3.8.7 (Node 20): a number without "=" is looked for within the digits, so that dose:0 finds 10 and
# 500. What is joined goes from left to right: "dose:=5 OR dose:=10 AND unit:mg" asks for mg of both, and turned around
# it gives another answer.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error liqe@3.8.7

cat > find.mjs <<'END'
import { filter, parse } from 'liqe'
const doses = [5, 10, 50, 500, 1.5].map((dose) => ({ dose, unit: dose > 5 ? 'mg' : 'µg' }))
for (const query of ['dose:=5', 'dose:5', 'dose:0', 'dose:=5 OR dose:=10 AND unit:mg', 'unit:mg AND dose:=10 OR dose:=5', 'dose:=5 OR (dose:=10 AND unit:mg)']) {
  console.log(`${query} -> ${filter(parse(query), doses).map(({ dose, unit }) => `${dose} ${unit}`).join(', ')}`)
}
END

node -p "'liqe ' + JSON.parse(fs.readFileSync('node_modules/liqe/package.json')).version"
node find.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
dose:=5 -> 5 µg
dose:5 -> 5 µg, 50 mg, 500 mg, 1.5 µg
dose:0 -> 10 mg, 50 mg, 500 mg
dose:=5 OR dose:=10 AND unit:mg -> 10 mg
unit:mg AND dose:=10 OR dose:=5 -> 10 mg, 5 µg
dose:=5 OR (dose:=10 AND unit:mg) -> 5 µg, 10 mg
END
