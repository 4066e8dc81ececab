#!/usr/bin/env bash
# Date::Manip takes March 2026 for 20 March 2026, and June 1999 for the 19th.
#
# Expected: the month, that is, its first day, as it has it for 2026-03, or an error, as it has it for 03/2026.
# Seen with Date::Manip 6.91 (Debian 12): the first two digits of the year are the day and the last two the year, so
# that every month of this century is its 20th day and each of the last one its 19th, in German and French as well. No
# error is told, and a comma before the year changes nothing, so that a list of notes by month has them late.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends libdate-manip-perl=6.91-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > read.pl <<'END'
use strict;
use warnings;
use utf8;
use Date::Manip::Date;

binmode STDOUT, ':utf8';
my @texts = (['English', '2026-03'], ['English', 'March 2026'], ['English', 'March, 2026'], ['English', 'May 2024'],
             ['English', 'June 1999'], ['German', 'März 2026'], ['French', 'mars 2026'], ['English', '03/2026']);
for (@texts) {
  my ($language, $text) = @$_;
  my $date = Date::Manip::Date->new(undef, ['Language', $language, 'ForceDate', '2026-03-05-12:00:00,Etc/GMT']);
  my $error = $date->parse($text);
  print "$language, $text -> ", ($error ? $date->err : $date->printf('%Y-%m-%d')), "\n";
}
END
dpkg-query -W libdate-manip-perl
perl read.pl > seen.txt
cat seen.txt
diff seen.txt - <<'END'
English, 2026-03 -> 2026-03-01
English, March 2026 -> 2026-03-20
English, March, 2026 -> 2026-03-20
English, May 2024 -> 2024-05-20
English, June 1999 -> 1999-06-19
German, März 2026 -> 2026-03-20
French, mars 2026 -> 2026-03-20
English, 03/2026 -> [parse] Invalid date string
END
