#!/usr/bin/env bash
# Chronic takes half an hour ago for yesterday at six, and 5.3.2026 for today at 17:36.
#
# Expected: 11:30, or nothing, as it has it for "1.5 hours ago"; a date with points is a day, or nothing.
# Seen with ruby-chronic 0.10.5 (Debian 12), asked at noon on 5 March 2026: "half" is 30, as in half past, so that half
# an hour is 30 hours and half a day 30 days. 5.3.2026 is five o'clock with 3 minutes and 2026 seconds, while
# 31.12.2026 is the day. The end of May is the middle of it, and twenty minutes past five are twenty to five.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends ruby-chronic=0.10.5-2 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > read.rb <<'END'
ENV['TZ'] = 'UTC'
require 'chronic'
now = Time.utc(2026, 3, 5, 12)
['an hour ago', 'half an hour ago', 'half a day ago', '1.5 hours ago', '31.12.2026', '5.3.2026', 'end of may',
 'twenty minutes past five', 'half past 5'].each do |text|
  time = Chronic.parse(text, now: now)
  puts "#{text} -> #{time ? time.strftime('%F %T') : 'nothing'}"
end
END
dpkg-query -W ruby-chronic
ruby read.rb > seen.txt
cat seen.txt
diff seen.txt - <<'END'
an hour ago -> 2026-03-05 11:00:00
half an hour ago -> 2026-03-04 06:00:00
half a day ago -> 2026-02-03 12:00:00
1.5 hours ago -> nothing
31.12.2026 -> 2026-12-31 12:00:00
5.3.2026 -> 2026-03-05 17:36:46
end of may -> 2026-05-16 12:00:00
twenty minutes past five -> 2026-03-05 16:40:00
half past 5 -> 2026-03-05 17:30:00
END
