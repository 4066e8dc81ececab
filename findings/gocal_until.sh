#!/usr/bin/env bash
# gocal leaves out the last day of a series that ends on a date, and tells 1 May for the last Friday of April.
#
# Expected: the rules that it says it handles, RRULE and EXDATE, as rrule-go reads them: UNTIL belongs to the series, a
# last Friday is a Friday of that month, and a line with two exceptions takes out both.
# Seen with github.com/apognu/gocal v0.9.1 and github.com/teambition/rrule-go v1.8.2: the day of UNTIL is missing, some
# last Fridays lie in the next month, and of two exceptions in a line none counts. With BYDAY an exception adds a day at
# the end of a series that has a COUNT.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > main.go <<'END'
package main

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/apognu/gocal"
	"github.com/teambition/rrule-go"
)

func main() {
	for _, rules := range []string{
		"RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=4",
		"RRULE:FREQ=WEEKLY;UNTIL=20260327T080000Z",
		"RRULE:FREQ=WEEKLY;COUNT=4\nEXDATE:20260306T080000Z,20260313T080000Z",
		"RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=4\nEXDATE:20260306T080000Z",
	} {
		fmt.Println(strings.ReplaceAll(rules, "\n", " "))
		fmt.Println("  gocal:   ", days(byGocal(rules)))
		fmt.Println("  rrule-go:", days(byRRule(rules)))
	}
}

// byGocal has the days of an event that begins on Friday, 27 February 2026.
func byGocal(rules string) []time.Time {
	lines := "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nBEGIN:VEVENT\nUID:1\nDTSTAMP:20260201T080000Z\nSUMMARY:Dose\n" +
		"DTSTART:20260227T080000Z\nDTEND:20260227T090000Z\n" + rules + "\nEND:VEVENT\nEND:VCALENDAR\n"
	calendar := gocal.NewParser(strings.NewReader(strings.ReplaceAll(lines, "\n", "\r\n")))
	from, to := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	calendar.Start, calendar.End = &from, &to
	if err := calendar.Parse(); err != nil {
		panic(err)
	}
	var starts []time.Time
	for _, event := range calendar.Events {
		starts = append(starts, *event.Start)
	}
	sort.Slice(starts, func(i, j int) bool { return starts[i].Before(starts[j]) })
	return starts
}

func byRRule(rules string) []time.Time {
	set, err := rrule.StrToRRuleSet("DTSTART:20260227T080000Z\n" + rules)
	if err != nil {
		panic(err)
	}
	return set.All()
}

func days(starts []time.Time) string {
	var days []string
	for _, start := range starts {
		days = append(days, start.Format("2 January"))
	}
	return strings.Join(days, ", ")
}
END
go mod init example.org/finding > go.txt 2>&1
go get github.com/apognu/gocal@v0.9.1 github.com/teambition/rrule-go@v1.8.2 >> go.txt 2>&1
CGO_ENABLED=0 go run . > seen.txt
go list -m github.com/apognu/gocal github.com/teambition/rrule-go
cat seen.txt
diff seen.txt - <<'END'
RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=4
  gocal:    27 February, 27 March, 1 May, 29 May
  rrule-go: 27 February, 27 March, 24 April, 29 May
RRULE:FREQ=WEEKLY;UNTIL=20260327T080000Z
  gocal:    27 February, 6 March, 13 March, 20 March
  rrule-go: 27 February, 6 March, 13 March, 20 March, 27 March
RRULE:FREQ=WEEKLY;COUNT=4 EXDATE:20260306T080000Z,20260313T080000Z
  gocal:    27 February, 6 March, 13 March, 20 March
  rrule-go: 27 February, 20 March
RRULE:FREQ=WEEKLY;BYDAY=FR;COUNT=4 EXDATE:20260306T080000Z
  gocal:    27 February, 13 March, 20 March, 27 March
  rrule-go: 27 February, 13 March, 20 March
END
