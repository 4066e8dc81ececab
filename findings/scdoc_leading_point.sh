#!/usr/bin/env bash
# scdoc takes the point from a line that begins with one: ".5 mg" is 5 mg in the manual page.
#
# Expected: what troff would take for a command of its own is escaped, as an apostrophe at the beginning of a line is; a
# numbered list begins with a point and a blank.
# Seen with scdoc 1.11.2 and mandoc 1.14.6 (Debian 12): the point is passed over, at the beginning of a paragraph and of
# any other line, and nothing is said. Where it is escaped (\.5) it is written as it is, so that troff takes it for a
# command and leaves out the line.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends scdoc=1.11.2-1 mandoc=1.14.6-1+b1 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > dose.1.scd <<'END'
dose(1)

# DOSE

.5 mg is enough. Take
.5 mg, not 5.

'tis all. Or:

\.5 mg is too much.

The end.
END

dpkg-query -W scdoc mandoc
scdoc < dose.1.scd | mandoc -Tascii | col -b | sed '/^ *$/d; /^dose(/d; /  20/d' > seen.txt
cat seen.txt
diff seen.txt - <<'END'
DOSE
       5 mg is enough. Take 5 mg, not 5.
       'tis all. Or:
       The end.
END
