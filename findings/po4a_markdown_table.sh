#!/usr/bin/env bash
# po4a makes one line of a Markdown table when it translates a page, also where nothing is translated.
#
# Expected: its format for Markdown (text, with the option markdown) translates the cells or the rows of a table, or
# leaves it as it is: lines are no line breaks in a paragraph only, and a page without a translation comes back as it
# was.
# Seen with po4a 0.69 (Debian 12) and commonmark-like readers, here pandoc 2.17.1.1 for GitHub's Markdown: the rows are
# the lines of a paragraph, which are put together, and with them the line below the head, so that the page has no table
# any more. A term and its definition become one line as well, and a translator gets all of it as one message.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends po4a=0.69-1 pandoc=2.17.1.1-2~deb12u1 > install.txt 2>&1 || { cat install.txt; exit 1; }

printf '# Doses\n\n| Dose | Unit |\n|---|---|\n| 5 | mg |\n| 10 | drops |\n\n- Take 5\n- or 10\n\nDose\n: 5 mg\n' > doses.md
po4a-updatepo -f text -o markdown -M UTF-8 -m doses.md -p doses.pot > log.txt 2>&1
# No message is translated.
po4a-translate -f text -o markdown -M UTF-8 -m doses.md -p doses.pot -k 0 -l page.md >> log.txt 2>&1
{
  echo 'before'
  sed 's/^/  /' doses.md
  echo 'after'
  sed 's/^/  /' page.md
  for page in doses page; do
    echo "$page.md has $(pandoc -f gfm -t html "$page.md" | grep -c '<td') cells"
  done
} > seen.txt
dpkg-query -W po4a pandoc
cat seen.txt
diff seen.txt - <<'END'
before
  # Doses
  
  | Dose | Unit |
  |---|---|
  | 5 | mg |
  | 10 | drops |
  
  - Take 5
  - or 10
  
  Dose
  : 5 mg
after
  # Doses
  
  | Dose | Unit | |---|---| | 5 | mg | | 10 | drops |
  
  - Take 5
  - or 10
  
  Dose : 5 mg
doses.md has 4 cells
page.md has 0 cells
END
