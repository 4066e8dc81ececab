#!/usr/bin/env bash
# go-dateparser reads 20261231, the last day of a year, as 2 January of it, and 20260305 as a day of the year 6030.
#
# Expected: the days that ISO 8601 writes without hyphens, or an error, as it has it for 2026-064, the 64th day of the
# year.
# Seen with github.com/markusmobius/go-dateparser v1.4.7, asked at noon on 5 March 2026: the digits are cut into year,
# month, day, hour and minute in any order that fits. 2026-W10, a week of March, is a day of October, and of "3 days
# before yesterday" the last word counts alone. No error is told.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat > main.go <<'END'
package main

import (
	"fmt"
	"time"

	dateparser "github.com/markusmobius/go-dateparser"
)

func main() {
	now := time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)
	for _, text := range []string{"2026-03-05", "20260305", "20261231", "2026-064", "2026-W10", "yesterday", "3 days before yesterday"} {
		date, err := dateparser.Parse(&dateparser.Configuration{CurrentTime: now, DefaultTimezone: time.UTC}, text)
		if err != nil {
			fmt.Println(text, "-> an error")
			continue
		}
		fmt.Println(text, "->", date.Time.Format("2006-01-02 15:04"))
	}
}
END

go mod init finding > init.txt 2>&1
go get github.com/markusmobius/go-dateparser@v1.4.7 > get.txt 2>&1 || { cat get.txt; exit 1; }

go list -m github.com/markusmobius/go-dateparser
go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
2026-03-05 -> 2026-03-05 00:00
20260305 -> 6030-02-02 05:00
20261231 -> 2026-01-02 03:01
2026-064 -> an error
2026-W10 -> 2026-10-05 00:00
yesterday -> 2026-03-04 12:00
3 days before yesterday -> 2026-03-04 12:00
END
