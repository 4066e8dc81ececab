#!/usr/bin/env bash
# Spreadsheet::XLSX rounds numbers that have no format to two places: 0.125 mg is 0.12.
#
# Expected: value() of a cell is what Excel shows, which for the format General is as many places as there are.
# Seen with Spreadsheet::XLSX 0.17 and Spreadsheet::ParseXLSX 0.27 (Debian 12): every fraction has two places, 0.004
# is 0.00. ParseXLSX has them all. Both show half a day of the format [h]:mm as 12:01, a minute too much.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -y -qq --no-install-recommends libspreadsheet-xlsx-perl=0.17-1 libspreadsheet-parsexlsx-perl=0.27-3+deb12u2 python3-xlsxwriter=3.0.2-2 > install.txt 2>&1 || { cat install.txt; exit 1; }
cat > write.py <<'END'
import xlsxwriter

book = xlsxwriter.Workbook('doses.xlsx')
sheet = book.add_worksheet()
for column, number in enumerate([0.125, 0.004, 2.5, 3]):
    sheet.write(0, column, number)
hours = book.add_format({'num_format': '[h]:mm'})
for column, days in enumerate([0.5, 1.5, 2.25]):
    sheet.write(1, column, days, hours)
book.close()
END
/usr/bin/python3 write.py
cat > read.pl <<'END'
use strict;
use warnings;
use Spreadsheet::ParseXLSX;
use Spreadsheet::XLSX;

for my $book ('Spreadsheet::XLSX', 'Spreadsheet::ParseXLSX') {
  my $read = $book eq 'Spreadsheet::XLSX' ? Spreadsheet::XLSX->new('doses.xlsx') : Spreadsheet::ParseXLSX->new->parse('doses.xlsx');
  my ($sheet) = $read->worksheets;
  for my $row (0, 1) {
    print join(' ', $book, map { $_->value } grep { $_ } map { $sheet->get_cell($row, $_) } 0 .. 3), "\n";
  }
}
END
perl read.pl > seen.txt
dpkg-query -W libspreadsheet-xlsx-perl libspreadsheet-parsexlsx-perl python3-xlsxwriter
cat seen.txt
diff seen.txt - <<'END'
Spreadsheet::XLSX 0.12 0.00 2.50 3
Spreadsheet::XLSX 12:01 36:01 54:01
Spreadsheet::ParseXLSX 0.125 0.004 2.5 3
Spreadsheet::ParseXLSX 12:01 36:01 54:01
END
