package vobject

import (
	"strconv"
	"strings"
	"time"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// A moment is a date, or a date and time in some time zone, as written in a calendar. Times are
// never converted to another zone: people think of them in that of the author.
type moment struct {
	time    time.Time
	isDate  bool   // whether it has no time
	zone    string // name of the time zone; "" for that of the reader
	written string // original text if it could not be parsed
}

// propertyMoment returns the date or time in a property, in the time zone that its TZID parameter
// names.
func propertyMoment(p *property) moment { return parseMoment(p.raw, p.parameter("TZID")) }

func parseMoment(s, zone string) moment {
	s = strings.TrimSpace(s)
	if t, err := time.Parse("20060102", s); err == nil {
		return moment{time: t, isDate: true}
	}
	local, isUTC := strings.CutSuffix(s, "Z")
	t, err := time.Parse("20060102T150405", local)
	switch {
	case err != nil:
		return moment{written: markdown.OneLine(s)}
	case isUTC:
		zone = "UTC"
	}
	return moment{time: t, zone: zoneName(zone)}
}

// zoneName returns the name of a time zone without the prefix that makes it globally unique (RFC
// 5545, 3.2.19).
func zoneName(id string) string {
	id = markdown.OneLine(id)
	if !strings.HasPrefix(id, "/") {
		return id
	}
	parts := strings.Split(id, "/")
	return strings.Join(parts[max(1, len(parts)-2):], "/")
}

func (m moment) isKnown() bool { return !m.time.IsZero() }

// String returns the moment in a form for people, the original text if it could not be parsed, or
// "".
func (m moment) String() string {
	if !m.isKnown() {
		return m.written
	}
	return m.formatDay() + m.formatClock() + m.zoneSuffix()
}

func (m moment) formatDay() string { return m.time.Format("Monday 2006-01-02") }

func (m moment) formatClock() string {
	if m.isDate {
		return ""
	}
	return m.time.Format(" 15:04")
}

func (m moment) zoneSuffix() string {
	if m.zone == "" {
		return ""
	}
	return " (" + m.zone + ")"
}

// timeSpan returns the start and the end of an event, which for an all-day event is its last day.
func (o *object) timeSpan() string {
	start, end := propertyMoment(o.firstProperty("DTSTART")), propertyMoment(o.firstProperty("DTEND"))
	if !start.isKnown() {
		return start.written
	}
	if length, ok := parseDuration(o.firstProperty("DURATION").raw); ok && !end.isKnown() {
		end = start
		end.time = start.time.Add(length)
	}
	if end.isDate {
		end.time = end.time.AddDate(0, 0, -1) // an all-day event ends at the start of the following day
	}
	switch {
	case !end.isKnown() || !end.time.After(start.time) && end.zone == start.zone:
		return start.String()
	case end.zone != start.zone || start.isDate != end.isDate:
		return start.String() + " to " + end.String()
	case end.formatDay() == start.formatDay():
		return start.formatDay() + start.formatClock() + " to" + end.formatClock() + start.zoneSuffix()
	}
	return start.formatDay() + start.formatClock() + " to " + end.formatDay() + end.formatClock() + start.zoneSuffix()
}

var duration = lazyregexp.New(`^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,6})S)?)?$`)

// parseDuration parses a duration such as P1DT2H (RFC 5545, 3.3.6).
func parseDuration(s string) (time.Duration, bool) {
	m := duration.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return 0, false
	}
	var sum time.Duration
	for i, unit := range []time.Duration{7 * 24 * time.Hour, 24 * time.Hour, time.Hour, time.Minute, time.Second} {
		n, _ := strconv.Atoi(m[1+i]) // the text has only digits, or is empty
		sum += time.Duration(n) * unit
	}
	return sum, true
}

// formatDates returns the dates and times that properties list, in a form for people.
func formatDates(all []*property) []string {
	var texts []string
	for _, p := range all {
		for value := range strings.SplitSeq(p.raw, ",") {
			value, _, _ = strings.Cut(value, "/") // of a period, only the start
			if text := parseMoment(value, "").String(); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return texts
}
