#!/usr/bin/env bash
# Gnumeric reads the texts of a DIF file as numbers, times and formulas: the code 007 is 7, and 1E3 is 1000.
#
# Expected: DIF says of each value whether it is a number (0) or a text (1), in a line of its own: a text stays as it is,
# as Gnumeric has it in a SYLK file with the same cells.
# Seen with gnumeric 1.12.55 (Debian 12): a text of DIF is read as if it were typed into a cell: 2E5, the name of a room,
# is 200000, 1:30 a time of day, (5) is -5 and =1+1 a formula.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends gnumeric=1.12.55-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
texts=(007 2E5 5% 1:30 '(5)' =1+1 '5 mg')
{
  printf 'TABLE\n0,1\n"TEST"\nVECTORS\n0,1\n""\nTUPLES\n0,%d\n""\nDATA\n0,0\n""\n' ${#texts[@]}
  printf -- '-1,0\nBOT\n1,0\n"%s"\n' "${texts[@]}"
  printf -- '-1,0\nEOD\n'
} > codes.dif
{
  printf 'ID;PTEST;N;E\n'
  for row in "${!texts[@]}"; do printf 'C;Y%d;X1;K"%s"\n' $((row + 1)) "${texts[row]}"; done
  printf 'E\n'
} > codes.slk
dpkg-query -W gnumeric
for file in codes.dif codes.slk; do
  ssconvert -T Gnumeric_XmlIO:sax:0 $file book.xml 2> log.txt
  # The type 60 is a text, 40 a number, and a formula has none.
  echo "$file $(grep -oE '<gnm:Cell [^<]*' book.xml | sed -E 's/ValueFormat="[^"]*"//; s/.*Col="0"( ValueType="([0-9]+)")? ?>(.*)/\3 (\2)/' | paste -sd ' ')"
done > seen.txt
cat seen.txt
diff seen.txt - <<'END'
codes.dif 7 (40) 200000 (40) 0.0500000000000000000007 (40) 0.0625 (40) -5 (40) =1+1 () 5 mg (60)
codes.slk 007 (60) 2E5 (60) 5% (60) 1:30 (60) (5) (60) =1+1 (60) 5 mg (60)
END
