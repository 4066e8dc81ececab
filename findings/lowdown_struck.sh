#!/usr/bin/env bash
# lowdown writes a struck-out dose as a valid one into four of its seven formats, and numbers steps from 1 in two.
#
# Expected: what is struck out in Markdown, and the number that a list begins with, are in each format that has a way to
# say so, as LaTeX has, or there is a warning.
# Seen with lowdown 1.0.0 (Debian 12): "~~5 mg~~ 10 mg" is "5 mg 10 mg" in LaTeX, man, ms and Gemini. A list from 3
# begins with 1 in LaTeX and OpenDocument; the others have 3. HTML has both.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends lowdown=1.0.0-2 > install.txt 2>&1 || { cat install.txt; exit 1; }
printf '~~5 mg~~ 10 mg\n\n3. three\n4. four\n' > plan.md
for format in term html fodt latex man ms gemini; do
  lowdown "-t$format" plan.md > out.txt 2> warnings.txt
  echo "$format: $(grep '5 mg' out.txt | sed 's/\x1b/ESC/g; s/^ *//')"
  echo "$format: $(grep -cE '3\. |start="3"|start-value="3"|\{enumi\}|start=3' out.txt) lines with the number 3, $(wc -l < warnings.txt) warnings"
done > seen.txt
dpkg-query -W lowdown
cat seen.txt
diff seen.txt - <<'END'
term: ESC[9m5 mgESC[0m 10 mg
term: 1 lines with the number 3, 0 warnings
html: <p><del>5 mg</del> 10 mg</p>
html: 1 lines with the number 3, 0 warnings
fodt: <text:p text:style-name="P1"><text:span text:style-name="T1">5 mg</text:span> 10 mg</text:p>
fodt: 0 lines with the number 3, 0 warnings
latex: 5 mg 10 mg
latex: 0 lines with the number 3, 0 warnings
man: 5 mg 10 mg
man: 1 lines with the number 3, 0 warnings
ms: 5 mg 10 mg
ms: 1 lines with the number 3, 0 warnings
gemini: 5 mg 10 mg
gemini: 1 lines with the number 3, 0 warnings
END
