#!/usr/bin/env bash
# pandoc makes 5 g of 5 µg where LaTeX writes the sign as \textmu, and leaves out the half of half a tablet.
#
# Expected: the signs that LaTeX has by their names are characters, or a warning says what is left out, as pandoc warns
# of formulas that it cannot convert.
# Seen with pandoc 2.17.1.1 (Debian 12): \textmu, \textdegree, \textonehalf, \texteuro and \textpm give nothing, not even
# a warning; $\mu$ and a µ that is typed are kept. With siunitx the second \per of a unit is put before the exponent of
# the first one: mg/kg/day is "mg kg d" with two minus signs above.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends pandoc=2.17.1.1-2~deb12u1 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > doses.tex <<'END'
\documentclass{article}
\usepackage{textcomp,siunitx}
\begin{document}
Typed: 5 µg, $5\,\mu$g.

Named: 5 \textmu g, 37 \textdegree C, \textonehalf{} tablet, \texteuro 5, 20 \textpm{} 3.

Unit: \SI{5}{\mg\per\kg\per\day}, \SI{5}{\mg\per\kg}.
\end{document}
END
dpkg-query -W pandoc
pandoc -f latex -t plain --wrap=none doses.tex > seen.txt 2>&1
cat seen.txt
diff seen.txt - <<'END'
Typed: 5 µg, 5 μg.

Named: 5 g, 37 C, tablet, , 20 3.

Unit: 5 mg kg d⁻⁻¹, 5 mg kg⁻¹.
END
