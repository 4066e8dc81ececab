#!/usr/bin/env bash
# rst-compiler gives a footnote and a citation of reStructuredText the same number: the reader is sent to the wrong
# source.
#
# Expected: [#dose]_ is footnote 1 and [Roe2020]_ a citation of that name, as docutils has it: two notes with two texts.
# Seen with rst-compiler 0.5.9 (Node 20): both are [^1] in Markdown, which has the first of two definitions with the
# same name. A formula on the line of its directive (.. math:: x = 5) is nothing between its marks, and what stands
# below ".. only:: html" is left out of HTML, too. A definition that is indented by two or three blanks is a part of the
# term.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error rst-compiler@0.5.9

cat > read.mjs <<'END'
import { RstToHtmlCompiler, RstToMdCompiler } from 'rst-compiler'
const texts = ['5 mg [#dose]_ or 10 mg [Roe2020]_\n\n.. [#dose] in the morning\n.. [Roe2020] Roe, Tea, 2020\n', '.. math:: x = 5\n', '.. math::\n\n   x = 5\n', 'Dose\n   5 mg\nRoute\n   oral\n', 'Dose\n    5 mg\nRoute\n    oral\n']
for (const text of texts) console.log(JSON.stringify(text), '->\n' + new RstToMdCompiler().compile(text).body.trim())
console.log('HTML', JSON.stringify(new RstToHtmlCompiler().compile('Before.\n\n.. only:: html\n\n   5 mg\n\nAfter.\n').body.replace(/\s+/g, ' ')))
END

node -p "'rst-compiler ' + JSON.parse(fs.readFileSync('node_modules/rst-compiler/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
"5 mg [#dose]_ or 10 mg [Roe2020]_\n\n.. [#dose] in the morning\n.. [Roe2020] Roe, Tea, 2020\n" ->
5 mg [^1] or 10 mg [^1]

[^1]:
    in the morning

[^1]:
    Roe, Tea, 2020
".. math:: x = 5\n" ->
$$

$$
".. math::\n\n   x = 5\n" ->
$$
x = 5
$$
"Dose\n   5 mg\nRoute\n   oral\n" ->
Dose
   5 mg
Route
   oral
"Dose\n    5 mg\nRoute\n    oral\n" ->
**Dose**

5 mg

**Route**

oral
HTML "<p> Before. </p> <p> After. </p> "
END
