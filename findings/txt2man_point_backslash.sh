#!/usr/bin/env bash
# txt2man leaves out a line that begins with ".5 mg", and makes 510 of 5\10.
#
# Expected: a plain text that becomes a manual page says the same: signs that mean something to troff are escaped, as
# the program does with an apostrophe at the beginning of a line.
# Seen with txt2man 1.7.1 and mandoc 1.14.6 (Debian 12): a point at the beginning of a line and a backslash are written
# as they are, which makes them commands of troff that do not exist, or exist. The path C:\slash is C:ash.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends txt2man=1.7.1-4 mandoc=1.14.6-1+b1 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > dose.txt <<'END'
NAME
  dose - what to take

DOSE
  Take this:

  .5 mg is enough.

  'tis 5\10 ml, see C:\slash.
END

dpkg-query -W txt2man mandoc
txt2man -t DOSE -d 2026-03-05 dose.txt | mandoc -Tascii | col -b | sed '/^ *$/d; /^DOSE(/d; /2026/d' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
NAME
       dose - what to take
DOSE
       Take this:
       'tis 510 ml, see C:ash.
END
