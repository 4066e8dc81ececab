#!/usr/bin/env bash
# go-naturaldate takes the day of a month for an hour: December 25 is one o'clock in the night of the sixth of December.
#
# Expected: the day that "December 25th" is, which it reads rightly; an error for what it does not know, such as it has
# for "1.5 hours ago".
# Seen with github.com/tj/go-naturaldate v1.3.0, asked at noon on 5 March 2026: "March 7" is seven o'clock on 5 March of
# last year. "midnight" and "12am" are noon, that is, the time at which it was asked, as are "half an hour ago", "an hour
# ago" and "twelve days ago"; "twenty one days ago" is yesterday.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"
	"time"

	"github.com/tj/go-naturaldate"
)

func main() {
	now := time.Date(2026, time.March, 5, 12, 0, 0, 0, time.UTC)
	for _, text := range []string{"December 25th", "December 25", "March 7", "midnight", "12am", "an hour ago", "half an hour ago",
		"three days ago", "twelve days ago", "twenty one days ago", "1.5 hours ago"} {
		read, err := naturaldate.Parse(text, now)
		if err != nil {
			fmt.Println(text, "is an error")
			continue
		}
		fmt.Println(text, "=>", read.Format("2006-01-02 15:04"))
	}
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/tj/go-naturaldate@v1.3.0 >> go.txt 2>&1
go list -m github.com/tj/go-naturaldate
CGO_ENABLED=0 go run . > seen.txt
cat seen.txt
diff seen.txt - <<'END'
December 25th => 2025-12-25 12:00
December 25 => 2025-12-06 01:00
March 7 => 2025-03-05 07:00
midnight => 2026-03-05 12:00
12am => 2026-03-05 12:00
an hour ago => 2026-03-05 12:00
half an hour ago => 2026-03-05 12:00
three days ago => 2026-03-02 00:00
twelve days ago => 2026-03-05 12:00
twenty one days ago => 2026-03-04 00:00
1.5 hours ago is an error
END
