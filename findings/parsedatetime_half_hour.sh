#!/usr/bin/env bash
# parsedatetime takes half an hour ago for an hour ago, and the day after tomorrow for tomorrow.
#
# Expected: 11:30 at noon, and two days later; what it does not know is not a time, as it says of "5 mg".
# Seen with parsedatetime 2.6 (Debian 12): "half an hour ago" is 11:00 and "an hour and a half" 13:00, "1 1/2 hours ago"
# 10:00, and it says of each that it understood it. "1.5 mg" is 5 January; 1.5 hours are an hour and a half.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-parsedatetime=2.6-3 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > read.py <<'END'
import datetime

import parsedatetime

noon = datetime.datetime(2026, 3, 5, 12).timetuple()
for text in ['half an hour ago', 'an hour and a half', '1 1/2 hours ago', 'in 1.5 hours', 'the day after tomorrow', 'in two days', '5 mg', '1.5 mg']:
    found, understood = parsedatetime.Calendar().parseDT(text, sourceTime=noon)
    print(text, '->', found if understood else 'not understood')
END
/usr/bin/python3 read.py > seen.txt
dpkg-query -W python3-parsedatetime
cat seen.txt
diff seen.txt - <<'END'
half an hour ago -> 2026-03-05 11:00:00
an hour and a half -> 2026-03-05 13:00:00
1 1/2 hours ago -> 2026-03-05 10:00:00
in 1.5 hours -> 2026-03-05 13:30:00
the day after tomorrow -> 2026-03-06 09:00:00
in two days -> 2026-03-07 12:00:00
5 mg -> not understood
1.5 mg -> 2027-01-05 12:00:00
END
