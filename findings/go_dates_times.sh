#!/usr/bin/env bash
# Two Go readers of dates take one for the other: 2026-03-05 is five past three, and 12:30 the thirtieth of December.
#
# Expected: the form of ISO 8601 is a date, and 12:30 a time of day or an error.
# Seen with github.com/olebedev/when v1.1.0 and github.com/araddon/dateparse v0.0.0-20210429162001-6b43995a97de: the
# first reads 03-05 as a time of the day on which it is asked, "12 am" as noon, and "2.5 days ago" as five days ago,
# without an error. The second reads 09:30 as 30 September of the year 0, and a number, 1.5, as 5 January.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"
	"time"

	"github.com/araddon/dateparse"
	"github.com/olebedev/when"
)

func main() {
	asked := time.Date(2026, 3, 4, 15, 40, 0, 0, time.UTC)
	for _, text := range []string{"2026-03-05", "12 am", "2.5 days ago", "in half an hour"} {
		found, err := when.EN.Parse(text, asked)
		if err != nil || found == nil {
			fmt.Println("when", text, "->", err)
			continue
		}
		fmt.Printf("when %s -> %s\n", text, found.Time.Format(time.DateTime))
	}
	for _, text := range []string{"2026-03-05", "12:30", "09:30", "23:30", "1.5"} {
		found, err := dateparse.ParseAny(text)
		if err != nil {
			fmt.Println("dateparse", text, "-> an error")
			continue
		}
		fmt.Printf("dateparse %s -> %s\n", text, found.Format(time.DateTime))
	}
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/olebedev/when@v1.1.0 github.com/araddon/dateparse@v0.0.0-20210429162001-6b43995a97de >> go.txt 2>&1
CGO_ENABLED=0 go run . > seen.txt
go list -m github.com/olebedev/when github.com/araddon/dateparse
cat seen.txt
diff seen.txt - <<'END'
when 2026-03-05 -> 2026-03-04 03:05:00
when 12 am -> 2026-03-04 12:00:00
when 2.5 days ago -> 2026-02-27 15:40:00
when in half an hour -> 2026-03-04 16:10:00
dateparse 2026-03-05 -> 2026-03-05 00:00:00
dateparse 12:30 -> 0000-12-30 00:00:00
dateparse 09:30 -> 0000-09-30 00:00:00
dateparse 23:30 -> an error
dateparse 1.5 -> 0000-01-05 00:00:00
END
