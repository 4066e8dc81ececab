#!/usr/bin/env bash
# Babel reads a quarter past midnight as a quarter past noon, and half past nine in the evening as the morning, also
# where it wrote the time itself.
#
# Expected: parse_time with the locale of a text knows what that locale writes for am and pm, as format_time does.
# Seen with python3-babel 2.10.3 (Debian 12): it looks for the letters "pm" alone and adds 12, so that 12:15 AM is
# 12:15 and 12:30 PM is an error. Greek μ.μ., the p.m. of Canada, Arabic م, Korean 오후 and Chinese 下午 (afternoon) count
# for nothing, and the time is that of the morning. No error is told.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-babel=2.10.3-1 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > read.py <<'END'
from datetime import time
from babel.dates import format_time, parse_time

for locale, text in [('en', '9:30 PM'), ('en', '12:15 AM'), ('zh', '下午9:30'), ('ko', '오후 9:30')]:
    print(locale, text, '->', parse_time(text, locale=locale))
for locale in ['en', 'en_CA', 'el', 'ar', 'ko']:
    written = format_time(time(21, 30), 'short', locale=locale)
    try:
        print(locale, '21:30 written as', written, '->', parse_time(written, locale=locale))
    except ValueError as error:
        print(locale, '21:30 written as', written, '-> error:', error)
END
dpkg-query -W python3-babel
/usr/bin/python3 read.py > seen.txt
cat seen.txt
diff seen.txt - <<'END'
en 9:30 PM -> 21:30:00
en 12:15 AM -> 12:15:00
zh 下午9:30 -> 09:30:00
ko 오후 9:30 -> 09:30:00
en 21:30 written as 9:30 PM -> 21:30:00
en_CA 21:30 written as 9:30 p.m. -> 09:30:00
el 21:30 written as 9:30 μ.μ. -> 09:30:00
ar 21:30 written as 9:30 م -> 09:30:00
ko 21:30 written as PM 9:30 -> 21:30:00
END
