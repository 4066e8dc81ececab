#!/usr/bin/env bash
# dateutils makes 30 April of 31 April, in a text too.
#
# Expected: a day that there is not is left as it is, or an error, as it has it for 32 March.
# Seen with dateutils 0.4.10 (Debian 12): dconv gives the last day of the month, without a word, and with -S changes it
# in every line of a text: a date that was mistyped becomes one that looks right. The thirteenth month stays, and has a
# day 0 then. dgrep, which searches texts for dates, finds 31 April as 30 April.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends dateutils=0.4.10-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
dpkg-query -W dateutils
{
  for day in 2026-04-30 2026-04-31 2026-02-29 2026-03-32; do echo "$day -> $(dateutils.dconv "$day" 2>&1)"; done
  for text in 'Due 2026-04-31.' 'Due 2026-13-05.'; do echo "$text -> $(dateutils.dconv -S <<< "$text" 2>&1)"; done
  echo "dgrep 2026-04-30: $(dateutils.dgrep 2026-04-30 <<< 'Due 2026-04-31.')"
} > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2026-04-30 -> 2026-04-30
2026-04-31 -> 2026-04-30
2026-02-29 -> 2026-02-28
2026-03-32 -> dconv: cannot make sense of `2026-03-32' using the given input formats
Due 2026-04-31. -> Due 2026-04-30.
Due 2026-13-05. -> Due 2026-13-00.
dgrep 2026-04-30: Due 2026-04-31.
END
