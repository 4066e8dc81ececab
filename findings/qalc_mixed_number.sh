#!/usr/bin/env bash
# qalc reads 2 1/2 hours as 21 halves of an hour: 630 minutes.
#
# Expected: two and a half, as the blank between them says and as it adds "2 h 30 min", or an error.
# Seen with qalc 4.5.1 (Debian 12), the command line of Qalculate!: digits on both sides of a blank are one number.
# Units that it does not know are made up of shorter ones, without an error: micrograms (mcg) are metres times
# centigrams, a pint is pi nanotonnes, and international units (IU) are the rack units of servers, 4.4 cm each. A date
# in a sum, 2026-03-05, is 2018.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends qalc=4.5.1-1 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > ask.sh <<'END'
for question in '2.5 h to min' '2 h 30 min to min' '2 1/2 h to min' '1 1/2 g to mg' '5 ug to mg' '5 mcg to mg' '1 pint to ml' '5 IU to mm' '2026-03-05 + 1'; do
  echo "$question = $(qalc -t "$question" 2>&1 | tail -n 1)"
done
END

dpkg-query -W qalc
LC_ALL=C.UTF-8 bash ask.sh > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2.5 h to min = 150 min
2 h 30 min to min = 150 min
2 1/2 h to min = 630 min
1 1/2 g to mg = 5500 mg
5 ug to mg = 0.005 mg
5 mcg to mg = 50 mg·m
1 pint to ml = 3.141592654 mg
5 IU to mm = 222.25 mm
2026-03-05 + 1 = 2019
END
