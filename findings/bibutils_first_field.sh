#!/usr/bin/env bash
# bibutils reads only the first field of an entry of BibTeX whose fields stand close together on one line.
#
# Expected: BibTeX does not care about blanks and lines between fields, so all fields are read, or an error is told.
# Seen with bibutils 7.2 (Debian 12): of "{a,author={Roe},title={Tea},year={2020}}" title and year are left out and
# nothing is said; with one blank after each comma, all are there.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends bibutils=7.2-2 > install.txt 2>&1 || { cat install.txt; exit 1; }
printf '@book{a,author={Roe, Jane},title={Tea},year={2020}}\n' > close.bib
printf '@book{a, author={Roe, Jane}, title={Tea}, year={2020}}\n' > blanks.bib
for name in close blanks; do
  echo "$name:" $(bib2xml "$name.bib" 2> "$name.txt" | xml2ris 2>> "$name.txt" | grep -E '^(AU|TI|PY) ' | sed 's/  - /=/')
done > seen.txt
dpkg-query -W bibutils
cat seen.txt
diff seen.txt - <<'END'
close: AU=Roe, Jane
blanks: AU=Roe, Jane PY=2020 TI=Tea
END
