#!/usr/bin/env bash
# humanfriendly reads 5 miles as 5 metres, 5 bits as 5 bytes, and 5 grams as 5 gigabytes.
#
# Expected: an error for a unit that it does not know, as it has it for "5 feet" and for every such unit of time, "5
# mg" among them.
# Seen with python3-humanfriendly 10.0 (Debian 12): where no unit fits, parse_length and parse_size take the first
# letter for one: 5 min, 5 mi and 5 micrometres are 5 metres, 5 Mbit 5 megabytes, eight times as much, and 5 tablets 5
# terabytes. Of times, format_timespan writes 3599.996 seconds as 59 minutes and 60 seconds.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-humanfriendly=10.0-3 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > read.py <<'END'
from humanfriendly import format_timespan, parse_length, parse_size, parse_timespan

for read, texts in [(parse_length, ['5 mm', '5 feet', '5 miles', '5 micrometres', '5 min']),
                    (parse_size, ['5 MB', '5 bits', '5 Mbit', '5 grams', '5 tablets', '5 bananas']),
                    (parse_timespan, ['5 min', '5 mg'])]:
    for text in texts:
        try:
            print(read.__name__, text, '->', read(text))
        except Exception as error:
            print(read.__name__, text, '->', type(error).__name__)
print(format_timespan(3599.996))
END
dpkg-query -W python3-humanfriendly
/usr/bin/python3 read.py > seen.txt
cat seen.txt
diff seen.txt - <<'END'
parse_length 5 mm -> 0.005
parse_length 5 feet -> InvalidLength
parse_length 5 miles -> 5
parse_length 5 micrometres -> 5
parse_length 5 min -> 5
parse_size 5 MB -> 5000000
parse_size 5 bits -> 5
parse_size 5 Mbit -> 5000000
parse_size 5 grams -> 5000000000
parse_size 5 tablets -> 5000000000000
parse_size 5 bananas -> 5
parse_timespan 5 min -> 300.0
parse_timespan 5 mg -> InvalidTimespan
59 minutes and 60 seconds
END
