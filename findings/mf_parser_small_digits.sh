#!/usr/bin/env bash
# mf-parser drops the small digits of a formula: C₆H₁₂O₆ (glucose) is CHO, and weighs 29 instead of 180.
#
# Expected: C₆H₁₂O₆, as it is written in papers, is read as C6H12O6, or is an error; the dot before water of
# crystallisation parts a salt from its water.
# Seen with mf-parser 3.9.3 (Node 20): small digits are left out without an error. In CuSO4·5H2O the dot multiplies 4
# with 5, so that there are 21 atoms of oxygen instead of 9. Fe(III) is an iodide of iron, and the charge of SO4-- is 0,
# where Ca++ has 2.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error mf-parser@3.9.3

cat > read.mjs <<'END'
import { MF } from 'mf-parser'
for (const formula of ['C6H12O6', 'C₆H₁₂O₆', 'CuSO4(H2O)5', 'CuSO4·5H2O', 'Ca++', 'SO4--', 'Fe(III)']) {
  const { mf, mass, charge } = new MF(formula).getInfo()
  console.log(formula, '->', mf, mass.toFixed(1), 'charge', charge)
}
END

node -p "'mf-parser ' + JSON.parse(fs.readFileSync('node_modules/mf-parser/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
C6H12O6 -> C6H12O6 180.2 charge 0
C₆H₁₂O₆ -> CHO 29.0 charge 0
CuSO4(H2O)5 -> H10CuO9S 249.7 charge 0
CuSO4·5H2O -> H2CuO21S 433.6 charge 0
Ca++ -> Ca(+2) 40.1 charge 2
SO4-- -> O4S 96.1 charge 0
Fe(III) -> FeI3 436.6 charge 0
END
