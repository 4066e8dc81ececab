#!/usr/bin/env bash
# mathml-to-latex says the contrary of three relations: "is less, not equal" becomes "is not less or equal".
#
# Expected: a relation is the command of LaTeX that draws it: ⪇ and ≨ (less, not equal) are \lneq and \lneqq, ⊀ is
# \nprec, ≮ is \nless.
# Seen with mathml-to-latex 1.8.0 (Node 20): ⪇ and ≨ are \nleqslant, "neither less nor equal", and ⊀, "does not
# precede", is \preceq, "precedes or is equal". ≮ and ≰ are "</" and "\leq/", so that a reader sees "less than" with a
# stroke behind it, and ≳ is \geg, which LaTeX does not know. The text of <ms> is left out.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error mathml-to-latex@1.8.0

cat > read.mjs <<'END'
import { MathMLToLaTeX } from 'mathml-to-latex'
for (const sign of ['≤', '≠', '⪇', '≨', '⊀', '≮', '≰', '≳', '∓']) console.log(MathMLToLaTeX.convert(`<math><mi>x</mi><mo>${sign}</mo><mn>5</mn></math>`), `(${sign})`)
console.log(JSON.stringify(MathMLToLaTeX.convert('<math><mi>x</mi><mo>=</mo><ms>5 mg</ms></math>')))
END

node -p "'mathml-to-latex ' + JSON.parse(fs.readFileSync('node_modules/mathml-to-latex/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
x \leq 5 (≤)
x \neq 5 (≠)
x \nleqslant 5 (⪇)
x \nleqslant 5 (≨)
x \preceq 5 (⊀)
x </ 5 (≮)
x \leq/ 5 (≰)
x \geg 5 (≳)
x +- 5 (∓)
"x ="
END
