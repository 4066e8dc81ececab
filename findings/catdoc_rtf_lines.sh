#!/usr/bin/env bash
# catdoc joins what a line break or the border of a cell parts in RTF.
#
# Expected: `\line` and `\cell` part words, as `\par` and `\tab` do.
# Seen with catdoc 0.95 (Debian 12): "5 mg" above "7 days" is "5 mg7 days", 2 beside 30 is 230, and the row goes on
# in the paragraph after the table.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends catdoc=1:0.95-6~deb12u1 > install.txt 2>&1 || { cat install.txt; exit 1; }
printf '%s\n' '{\rtf1\ansi{\fonttbl{\f0 Arial;}}\f0 Dose: 5 mg\line 7 days\par Next\tab word\par' \
  '\trowd\cellx2000\cellx4000\pard\intbl 2\cell 30\cell\row\pard End.\par}' > plan.rtf
catdoc -w -d utf-8 plan.rtf | tr '\t' '>' | sed '/^ *$/d' > seen.txt
dpkg-query -W catdoc
cat seen.txt
diff seen.txt - <<'END'
Dose: 5 mg7 days
Next>word
230End.
END
