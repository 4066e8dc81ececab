#!/usr/bin/env bash
# xlsxreader reads half past nine as a second earlier, and a number of hours as a day in 1899.
#
# Expected: 2026-03-05 09:30, as exceljs writes it, is that: a part of a day is rounded, to a second or less; 36
# hours of the format [h]:mm are 1.5 days.
# Seen with github.com/thedatashed/xlsxreader v1.2.8 and exceljs 4.4.0 (Node 20): 09:29:59 and 1899-12-31T12:00:00Z.
# Half past other hours is right: it depends on the last digits of the number.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
printf '{"private": true}\n' > package.json
npm install --no-audit --no-fund --loglevel=error exceljs@4.4.0
cat > write.js <<'END'
const ExcelJS = require('exceljs')
const book = new ExcelJS.Workbook()
const sheet = book.addWorksheet('Visits')
for (const hour of [8, 9, 10, 11]) sheet.addRow([new Date(Date.UTC(2026, 2, 5, hour, 30))]).getCell(1).numFmt = 'yyyy-mm-dd hh:mm'
sheet.addRow([1.5]).getCell(1).numFmt = '[h]:mm'
book.xlsx.writeFile('visits.xlsx')
END
node write.js
cat > main.go <<'END'
package main

import (
	"fmt"

	"github.com/thedatashed/xlsxreader"
)

func main() {
	book, err := xlsxreader.OpenFile("visits.xlsx")
	if err != nil {
		panic(err)
	}
	for row := range book.ReadRows("Visits") {
		fmt.Println(row.Cells[0].Value)
	}
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/thedatashed/xlsxreader@v1.2.8 >> go.txt 2>&1
CGO_ENABLED=0 go run . > seen.txt
go list -m github.com/thedatashed/xlsxreader
node -p "'exceljs ' + JSON.parse(fs.readFileSync('node_modules/exceljs/package.json')).version"
cat seen.txt
diff seen.txt - <<'END'
2026-03-05T08:30:00Z
2026-03-05T09:29:59Z
2026-03-05T10:30:00Z
2026-03-05T11:30:00Z
1899-12-31T12:00:00Z
END
