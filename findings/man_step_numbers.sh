#!/usr/bin/env bash
# Two readers of manual pages lose the numbers of steps that are counted in the page.
#
# Expected: ".nr step 1 1" and ".IP \n+[step]" count as in every page of troff, and give 1 and 2, as mandoc shows them.
# Seen with pandoc 2.17.1.1, man2html 1.6g and mandoc 1.14.6 (Debian 12): pandoc has nothing for \n[step], so that a
# sentence ends with "see step .", and the name of the counter for \n+[step]; man2html writes "step]". Neither warns.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends pandoc=2.17.1.1-2~deb12u1 man2html-base=1.6g-14 mandoc=1.14.6-1+b1 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > steps.7 <<'END'
.TH STEPS 7
.SH STEPS
.nr step 1 1
.IP \n[step] 4
Mix it.
.IP \n+[step] 4
Drink it.
.PP
Then see step \n[step].
END
dpkg-query -W pandoc man2html-base mandoc
{
  echo mandoc
  mandoc -T ascii steps.7 | col -b | sed -n '/Mix/,/see/p'
  echo pandoc
  pandoc -f man -t plain steps.7
  echo man2html
  man2html -r steps.7 | sed -n '/Mix/,/see/p; /step/p' | sed 's/<[^>]*>//g' | grep . | uniq
} > seen.txt 2>&1
cat seen.txt
diff seen.txt - <<'END'
mandoc
       1   Mix it.

       2   Drink it.

       Then see step 2.
pandoc
STEPS

    Mix it.

[step]

    Drink it.

Then see step .
man2html
step]
Mix it.
step]
Drink it.
Then see step step].
END
