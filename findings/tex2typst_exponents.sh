#!/usr/bin/env bash
# tex2typst raises all digits after a caret, where TeX raises the first one.
#
# Expected: in TeX "^" and "_" take one character unless there are braces: x^23 is x squared times 3, as KaTeX has it,
# and C_60 is C with a 0 behind its index.
# Seen with tex2typst 0.6.2 and katex 0.19.1 (Node 20): x^23 stays x^23, which Typst reads as x to the 23rd. \sqrt23 and
# \frac123 are read as in TeX. A quotation mark in \text ends the text in Typst, so that its words become variables.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error tex2typst@0.6.2 katex@0.19.1

cat > convert.mjs <<'END'
import { tex2typst } from 'tex2typst'
import katex from 'katex'
for (const tex of ['x^23', 'x^{23}', 'C_60', '\\sqrt23', '\\frac123', '\\text{take "5 mg" now}']) {
  const [, mathml] = katex.renderToString(tex, { output: 'mathml' }).match(/<semantics><mrow>(.*)<\/mrow><annotation/)
  console.log(tex, '|', tex2typst(tex), '|', mathml)
}
END

for package in tex2typst katex; do
  node -p "'$package ' + JSON.parse(fs.readFileSync('node_modules/$package/package.json')).version"
done
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
x^23 | x^23 | <msup><mi>x</mi><mn>2</mn></msup><mn>3</mn>
x^{23} | x^23 | <msup><mi>x</mi><mn>23</mn></msup>
C_60 | C_60 | <msub><mi>C</mi><mn>6</mn></msub><mn>0</mn>
\sqrt23 | sqrt(2) 3 | <msqrt><mn>2</mn></msqrt><mn>3</mn>
\frac123 | 1/2 3 | <mfrac><mn>1</mn><mn>2</mn></mfrac><mn>3</mn>
\text{take "5 mg" now} | "take "5 mg" now" | <mtext>take &quot;5 mg&quot; now</mtext>
END
