#!/usr/bin/env bash
# Chronic Duration takes a day and a half for a day and two seconds, and 1,500 seconds for 500.
#
# Expected: 129600 and 1500 seconds, or nothing; it reads "two and a half hours" and "1 1/2 hours".
# Seen with ruby-chronic-duration 0.10.6.2, which is GitLab's, and ruby-numerizer 0.2.0 (Debian 12): "half" and
# "quarter" behind a unit are numbers, 2 and 4, and what has no unit is seconds, so that a minute or two is 62 and
# three quarters of an hour are four hours. Half an hour is an hour, and a comma parts numbers, of which the last
# counts: 1,5 hours are five. A minus is lost.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends ruby-chronic-duration=0.10.6.2-2 ruby-numerizer=0.2.0-2 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > read.rb <<'END'
require 'numerizer'
require 'gitlab_chronic_duration'
['two and a half hours', '1 1/2 hours', 'a day and a half', 'an hour and a quarter', 'half an hour', 'three quarters of an hour', 'a minute or two',
 '1500 seconds', '1,500 seconds', '1,5 hours', '-5m'].each { |text| puts "#{text} -> #{ChronicDuration.parse(text).to_i} s" }
END
dpkg-query -W ruby-chronic-duration ruby-numerizer
ruby read.rb > seen.txt
cat seen.txt
diff seen.txt - <<'END'
two and a half hours -> 9000 s
1 1/2 hours -> 5400 s
a day and a half -> 86402 s
an hour and a quarter -> 3604 s
half an hour -> 3600 s
three quarters of an hour -> 14400 s
a minute or two -> 62 s
1500 seconds -> 1500 s
1,500 seconds -> 500 s
1,5 hours -> 18000 s
-5m -> 300 s
END
