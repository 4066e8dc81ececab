#!/usr/bin/env bash
# Recoll does not find -8 in a note, neither as 8 nor as -8.
#
# Expected: a question for 8 finds "at -8 C", as it finds the 9 of "5 - 9 mg" and the 95 of 160/95.
# Seen with recollcmd 1.34.3 (Debian 12): a sign before a number, - or +, belongs to its word, and so does # (issue
# #21), while in a question the minus excludes, so that only "-8" in quotation marks is found. Na+ and C# are words of
# their own, and Na finds none of them. 10,000 is not found as 10000, nor 5,5 as 5.5.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends recollcmd=1.34.3-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
dpkg-query -W recollcmd
mkdir notes config
while IFS=: read -r name note; do echo "$note" > "notes/$name.txt"; done <<'END'
cold:at -8 C
change:a +31 change
deviation:-0.75 SD
range:Take 5 - 9 mg
pressure:160/95 high
issue:issue #21
salt:Na+ 140
units:10,000 units
END
printf 'topdirs = %s/notes\n' "$folder" > config/recoll.conf
recollindex -c config > index.txt 2>&1 || { cat index.txt; exit 1; }
for question in 9 95 8 -8 '"-8"' 31 +31 0.75 21 '#21' Na Na+ 10000 10,000; do
  found=$(recollq -c config -n 0-9 "$question" 2> /dev/null | grep -o 'notes/[a-z]*' | sort -u | xargs -I{} cat {}.txt || true)
  echo "$question -> ${found:-nothing}"
done > seen.txt
cat seen.txt
diff seen.txt - <<'END'
9 -> Take 5 - 9 mg
95 -> 160/95 high
8 -> nothing
-8 -> nothing
"-8" -> at -8 C
31 -> nothing
+31 -> a +31 change
0.75 -> nothing
21 -> nothing
#21 -> issue #21
Na -> nothing
Na+ -> Na+ 140
10000 -> nothing
10,000 -> 10,000 units
END
