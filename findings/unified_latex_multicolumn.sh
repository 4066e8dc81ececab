#!/usr/bin/env bash
# unified-latex makes "2l5" of a cell with 5 that spans two columns, and "5" of "< 5".
#
# Expected: of a command that Markdown has nothing for, the text that LaTeX prints is left, in the words around it.
# Seen with @unified-latex/unified-latex-to-mdast 1.8.4 (Node 20): \multicolumn gives all three of its arguments, and
# the cells behind it move to the left; the words of a footnote follow the dose without a blank; \textless and the units
# of siunitx are nothing, so that milligrams and micrograms are the same. \textmu and the dashes are read. Nothing is
# warned of.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true, "type": "module"}\n' > package.json
npm install --no-audit --no-fund --loglevel=error unified@11.0.5 @unified-latex/unified-latex-util-parse@1.8.4 @unified-latex/unified-latex-to-mdast@1.8.4 mdast-util-to-markdown@2.2.3 mdast-util-gfm@3.1.0

cat > read.mjs <<'END'
import { unified } from 'unified'
import { unifiedLatexFromString } from '@unified-latex/unified-latex-util-parse'
import { unifiedLatexToMdast } from '@unified-latex/unified-latex-to-mdast'
import { toMarkdown } from 'mdast-util-to-markdown'
import { gfmToMarkdown } from 'mdast-util-gfm'
const latex = ['5--10 \\textmu g', String.raw`Keep at \textless 5 degrees.`, String.raw`Take 5 mg\footnote{not 10} daily.`,
  String.raw`\SI{5}{\milli\gram} or \SI{5}{\micro\gram}`, String.raw`\nicefrac{1}{2} tablet`,
  String.raw`\begin{tabular}{lll}Morning & Noon & Night\\ \multicolumn{2}{l}{5} & 10\end{tabular}`]
for (const text of latex) {
  const reader = unified().use(unifiedLatexFromString).use(unifiedLatexToMdast)
  console.log(text)
  console.log(toMarkdown(await reader.run(reader.parse(text)), { extensions: [gfmToMarkdown()] }).replace(/^/gm, '  ').trimEnd())
}
END

node -p "'@unified-latex/unified-latex-to-mdast ' + JSON.parse(fs.readFileSync('node_modules/@unified-latex/unified-latex-to-mdast/package.json')).version"
node read.mjs > seen.txt
cat seen.txt
diff seen.txt - <<'END'
5--10 \textmu g
  5–10 µ g
Keep at \textless 5 degrees.
  Keep at 5 degrees.
Take 5 mg\footnote{not 10} daily.
  Take 5 mgnot 10 daily.
\SI{5}{\milli\gram} or \SI{5}{\micro\gram}
  5 or 5
\nicefrac{1}{2} tablet
  12 tablet
\begin{tabular}{lll}Morning & Noon & Night\\ \multicolumn{2}{l}{5} & 10\end{tabular}
  |         |      |       |
  | ------- | ---- | ----- |
  | Morning | Noon | Night |
  | 2l5     | 10   |       |
END
