#!/usr/bin/env bash
# dateparser takes a week for a day of this month, and three days before yesterday for yesterday.
#
# Expected: 2026-W10 is the tenth week of 2026, as ISO 8601 writes it, or is not read, as 20260305 is not.
# Seen with dateparser 1.1.6 (Debian 12), asked on 5 March 2026: it is 10 March. "1h30m ago" is a day in 2030, "1 1/2
# hours ago" is two hours ago, and of "3 days before yesterday" only the last word counts. 三天前 is not read, 3天前 is.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-dateparser=1.1.6-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > read.py <<'END'
import datetime

import dateparser

noon = datetime.datetime(2026, 3, 5, 12)
for text in ['2026-W10', '2026-W23', '20260305', '1h30m ago', '1 1/2 hours ago', '1.5 hours ago', '3 days before yesterday', '三天前', '3天前']:
    print(text, '->', dateparser.parse(text, settings={'RELATIVE_BASE': noon}))
END
/usr/bin/python3 -W ignore read.py > seen.txt
dpkg-query -W python3-dateparser
cat seen.txt
diff seen.txt - <<'END'
2026-W10 -> 2026-03-10 00:00:00
2026-W23 -> 2026-03-23 00:00:00
20260305 -> None
1h30m ago -> 2030-08-01 00:00:00
1 1/2 hours ago -> 2026-03-05 10:00:00
1.5 hours ago -> 2026-03-05 10:30:00
3 days before yesterday -> 2026-03-04 12:00:00
三天前 -> None
3天前 -> 2026-03-02 12:00:00
END
