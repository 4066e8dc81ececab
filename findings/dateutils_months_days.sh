#!/usr/bin/env bash
# dateutils counts one month and 62 days from 31 January to 1 March, and none beyond the month from there to 3 March.
#
# Expected: one month and one day (31 January and a month is 28 February, as its dadd has it), and one month and three
# days.
# Seen with dateutils 0.4.10 (Debian 12): ddiff with months and days takes the day of the month of one date from that
# of the other, and mends it by the wrong month where that is less than nothing. What ddiff says, added by dadd to the
# first date, is then not the second one. Days alone are right, and so are months and days from a day that every month
# has.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends dateutils=0.4.10-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
dpkg-query -W dateutils
while read -r from to; do
  added=$(dateutils.dadd "$from" "$(dateutils.ddiff "$from" "$to" -f '+%mmo')" | xargs -I{} dateutils.dadd {} "$(dateutils.ddiff "$from" "$to" -f '%mm +%dd' | cut -d' ' -f2)")
  echo "$from to $to: $(dateutils.ddiff "$from" "$to" -f '%dd'), $(dateutils.ddiff "$from" "$to" -f '%mm %dd'), added: $added"
done > seen.txt <<'END'
2026-01-15 2026-03-20
2026-01-15 2026-03-10
2026-01-31 2026-03-01
2026-01-31 2026-03-03
2026-01-29 2026-03-01
2026-03-31 2026-05-05
2026-05-31 2026-07-01
END
cat seen.txt
diff seen.txt - <<'END'
2026-01-15 to 2026-03-20: 64d, 2m 5d, added: 2026-03-20
2026-01-15 to 2026-03-10: 54d, 1m 23d, added: 2026-03-10
2026-01-31 to 2026-03-01: 29d, 1m 62d, added: 2026-05-01
2026-01-31 to 2026-03-03: 31d, 1m 0d, added: 2026-02-28
2026-01-29 to 2026-03-01: 31d, 1m 0d, added: 2026-02-28
2026-03-31 to 2026-05-05: 35d, 1m 4d, added: 2026-05-04
2026-05-31 to 2026-07-01: 31d, 1m 0d, added: 2026-06-30
END
