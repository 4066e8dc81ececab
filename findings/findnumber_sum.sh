#!/usr/bin/env bash
# Lingua::EN::FindNumber adds numbers that stand beside each other: "Take one and two" is "Take 3".
#
# Expected: numify writes each number of a text in digits: "Take 1 and 2", as it has it for "one or two" and "two to
# three".
# Seen with Lingua::EN::FindNumber 1.32 (Debian 12): "rooms five and six are free" is a room 11, "one two three" is 6,
# the year nineteen eighty-four 103, and of two and a half tablets two half tablets are left. The second dose is the 2
# dose.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends liblingua-en-findnumber-perl=1.32-3 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > digits.pl <<'END'
use strict;
use warnings;
use Lingua::EN::FindNumber;

for ('twenty-five mg', 'one or two', 'Take two to three', 'Take one and two', 'rooms five and six are free', 'one two three',
     'nineteen eighty-four', 'two and a half tablets', 'the second dose') {
  print "$_ -> ", numify($_), "\n";
}
END
dpkg-query -W liblingua-en-findnumber-perl liblingua-en-words2nums-perl
perl digits.pl > seen.txt
cat seen.txt
diff seen.txt - <<'END'
twenty-five mg -> 25 mg
one or two -> 1 or 2
Take two to three -> Take 2 to 3
Take one and two -> Take 3
rooms five and six are free -> rooms 11 are free
one two three -> 6
nineteen eighty-four -> 103
two and a half tablets -> 2 half tablets
the second dose -> the 2 dose
END
