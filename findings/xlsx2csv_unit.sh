#!/usr/bin/env bash
# xlsx2csv takes the letters of a unit in the format of a number for those of a date.
#
# Expected: 5 with the format 0" mg", as Excel shows it, is "5 mg", or at least 5: what stands in quotes is text.
# Seen with xlsx2csv 0.7.8 and XlsxWriter 3.0.2 (Debian 12): 5 is 0" 01g" and 250 is 0" 09g", the month of that day
# in 1900; 5 with 0" days" is 0" 04ays", with 0" h" 0" 12". 5 with 0" ng" is 5.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends xlsx2csv=1:0.7.8-1 python3-xlsxwriter=3.0.2-2 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > write.py <<'END'
import xlsxwriter

book = xlsxwriter.Workbook('doses.xlsx')
sheet = book.add_worksheet()
for row, (number, shown) in enumerate([(5, '0" mg"'), (250, '0" mg"'), (5, '0" ng"'), (5, '0" days"'), (5, '0" h"')]):
    sheet.write(row, 0, shown)
    sheet.write(row, 1, number, book.add_format({'num_format': shown}))
book.close()
END
/usr/bin/python3 write.py
xlsx2csv -d tab doses.xlsx > seen.txt
dpkg-query -W xlsx2csv python3-xlsxwriter
cat seen.txt
diff seen.txt - <<'END'
"0"" mg"""	"0"" 01g"""
"0"" mg"""	"0"" 09g"""
"0"" ng"""	5
"0"" days"""	"0"" 04ays"""
"0"" h"""	"0"" 12"""
END
