#!/usr/bin/env bash
# html-to-latex leaves out the text of elements that it does not know.
#
# Expected: an element without a command in LaTeX gives its text, as browsers show that of elements unknown to them.
# Seen with html-to-latex 0.8.0 (Node 20): links, indices, exponents, struck-out text, tables and lists in lists vanish
# with their words, within a line too: H₂O becomes HO and 10⁶ becomes 10.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error html-to-latex@0.8.0

cat > convert.mjs <<'END'
import { convertText } from 'html-to-latex'
for (const html of [
  '<p>H<sub>2</sub>O and 10<sup>6</sup> in <b>one</b> place</p>',
  '<p>See <a href="https://example.org/">the second page</a> first</p>',
  '<ul><li>Bread<ul><li>of rye</li></ul></li><li>Milk</li></ul>',
  '<table><tr><td>Monday</td><td>7</td></tr></table>',
]) console.log(JSON.stringify((await convertText(html)).replace(/\s+/g, ' ').trim()))
END

node -p "'html-to-latex ' + JSON.parse(fs.readFileSync('node_modules/html-to-latex/package.json')).version"
node convert.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"HO and 10 in \\textbf{one} place"
"See first"
"\\begin{itemize} \\item Bread \\item Milk \\end{itemize}"
""
END
