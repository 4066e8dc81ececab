#!/usr/bin/env bash
# agate reads a column of doses from-to as days of the year 2001: "5-10" is 10 May.
#
# Expected: a column whose cells are no dates as a whole is text; 1/2 and 3/4 are text or numbers; a day of the week has
# no date; 12:30 is a time of day; where a comma stands before one digit, it is a decimal comma, or the cell is text.
# Seen with agate 1.6.3 (Debian 12), the library of csvkit, with its guess of types for Table.from_csv: ranges and
# fractions are days of 2001, names of months and of days are days of the year 1, 12:30 are twelve minutes and a half,
# and 1,5 is 15. The table has no sign of what stood there.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends python3-agate=1.6.3-2 > install.txt 2>&1 || { cat install.txt; exit 1; }

cat > read.py <<'END'
import io
import agate
for cells in (['5-10 mg', '10-20 mg'], ['5-10', '11-12'], ['1/2', '3/4'], ['May', 'June'], ['March 5', 'April 6'], ['Monday', 'Tuesday'], ['12:30', '18:15'], ['1,5', '2,5'], ['1.234,5', '2.345,5']):
    table = agate.Table.from_csv(io.StringIO('dose\n' + ''.join(f'"{cell}"\n' for cell in cells)))
    kind = type(table.column_types[0]).__name__
    print(', '.join(cells), '=>', kind + ':', ', '.join(str(value) for value in table.columns[0]))
END

/usr/bin/python3 read.py > seen.txt
dpkg-query -W python3-agate
cat seen.txt
diff seen.txt - <<'END'
5-10 mg, 10-20 mg => Text: 5-10 mg, 10-20 mg
5-10, 11-12 => Date: 2001-05-10, 2001-11-12
1/2, 3/4 => Date: 2001-01-02, 2001-03-04
May, June => Date: 0001-05-01, 0001-06-01
March 5, April 6 => Date: 0001-03-05, 0001-04-06
Monday, Tuesday => Date: 0001-01-08, 0001-01-02
12:30, 18:15 => TimeDelta: 0:12:30, 0:18:15
1,5, 2,5 => Number: 15, 25
1.234,5, 2.345,5 => Number: 1.2345, 2.3455
END
