#!/usr/bin/env bash
# latex2rtf numbers steps from 1 where LaTeX was told to begin with 3, as pandoc writes such a list.
#
# Expected: \setcounter{enumi}{2} counts on from 3, and \def\labelenumi{(\alph{enumi})} makes letters of the numbers, as
# in LaTeX; a command that is not known is told of on standard error, as latex2rtf tells of others.
# Seen with latex2rtf 2.3.18a and pandoc 2.17.1.1 (Debian 12): steps 3 and 4 are steps 1 and 2, and items (c) and (d)
# are 1 and 2, too. No line on standard error says so, so that "see step 3" leads to another step.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends latex2rtf=2.3.18a-3 pandoc=2.17.1.1-2~deb12u1 > install.txt 2>&1 || { cat install.txt; exit 1; }

for list in '3. Mix it.\n4. Take it.\n' '(c) Mix it.\n(d) Take it.\n'; do
  printf "$list" > steps.md
  {
    printf '\\documentclass{article}\n\\providecommand{\\tightlist}{}\n\\begin{document}\n'
    pandoc steps.md -t latex
    printf '\\end{document}\n'
  } > steps.tex
  latex2rtf steps.tex > log.txt 2>&1
  cat steps.md
  grep -E 'labelenumi|setcounter' steps.tex
  grep -E 'labelenumi|setcounter' log.txt || echo 'no word of it'
  # The number and the text of each item, in the last lines of the document.
  tail -n 6 steps.rtf | grep -oE '[0-9a-z()]+\.?\\tab|^[A-Z].*it\.'
done > seen.txt
dpkg-query -W latex2rtf pandoc
cat seen.txt
diff seen.txt - <<'END'
3. Mix it.
4. Take it.
\def\labelenumi{\arabic{enumi}.}
\setcounter{enumi}{2}
no word of it
1.\tab
Mix it.
2.\tab
Take it.
(c) Mix it.
(d) Take it.
\def\labelenumi{(\alph{enumi})}
\setcounter{enumi}{2}
no word of it
1.\tab
Mix it.
2.\tab
Take it.
END
