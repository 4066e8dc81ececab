package vobject

import (
	"strconv"
	"strings"
	"time"

	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// recurrence returns the recurrence rule of an event in words, such as "every 2 weeks on Tuesday,
// 10 times". Parts of the rule that have no words here follow as written.
func (o *object) recurrence() string {
	raw := markdown.OneLine(o.firstProperty("RRULE").raw)
	rule := make(map[string]string)
	for part := range strings.SplitSeq(strings.ToUpper(raw), ";") {
		name, value, _ := strings.Cut(part, "=")
		rule[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	words := everyPhrase(rule["FREQ"], rule["INTERVAL"])
	if words == "" {
		return raw
	}
	words += weekdaysPhrase(rule["BYDAY"], rule["BYSETPOS"])
	words += listPhrase(" on ", rule["BYMONTHDAY"], dayOfMonthPhrase)
	words += listPhrase(" in ", rule["BYMONTH"], monthName)
	if count := rule["COUNT"]; count != "" {
		words += ", " + count + " times"
	}
	if until := parseMoment(rule["UNTIL"], ""); until.isKnown() {
		words += ", until " + until.formatDay()
	}
	for _, unsaid := range []string{"BYYEARDAY", "BYWEEKNO", "BYHOUR", "BYMINUTE", "BYSECOND"} {
		if value := rule[unsaid]; value != "" {
			words += ", " + unsaid + "=" + value
		}
	}
	return words
}

var periods = map[string]string{"SECONDLY": "second", "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"}

func everyPhrase(frequency, interval string) string {
	period := periods[frequency]
	switch {
	case period == "":
		return ""
	case interval == "" || interval == "1":
		return "every " + period
	}
	return "every " + interval + " " + period + "s"
}

// listPhrase returns introduction and the list of values, which are separated by commas, each
// converted by word; "" if there are none.
func listPhrase(introduction, values string, word func(string) string) string {
	if values == "" {
		return ""
	}
	var names []string
	for value := range strings.SplitSeq(values, ",") {
		names = append(names, word(value))
	}
	return introduction + joinListed(names)
}

var weekdays = map[string]string{"MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday", "SU": "Sunday"}

var weekdayPattern = lazyregexp.New(`^([+-]?\d{0,2})(MO|TU|WE|TH|FR|SA|SU)$`)

// weekdaysPhrase returns the weekdays of a rule in words. If position is not "", it selects one of
// them, as in "the last of Monday, Friday".
func weekdaysPhrase(days, position string) string {
	if days == "" {
		return ""
	}
	if position != "" {
		return listPhrase(" on the "+ordinalsPhrase(position)+" of ", days, weekdayPhrase)
	}
	return listPhrase(" on ", days, weekdayPhrase)
}

// weekdayPhrase returns a day such as 2TU or FR in words.
func weekdayPhrase(s string) string {
	m := weekdayPattern.FindStringSubmatch(s)
	switch {
	case m == nil:
		return s
	case m[1] == "":
		return weekdays[m[2]]
	}
	return "the " + ordinalPhrase(m[1]) + " " + weekdays[m[2]]
}

func dayOfMonthPhrase(s string) string {
	if strings.HasPrefix(s, "-") {
		return "the " + ordinalPhrase(s) + " day"
	}
	return "day " + s
}

func ordinalsPhrase(positions string) string {
	return strings.TrimSpace(listPhrase("", positions, ordinalPhrase))
}

// ordinalPhrase returns a position such as 2 or -1 in words.
func ordinalPhrase(s string) string {
	n, err := strconv.Atoi(s)
	switch {
	case err != nil:
		return s
	case n == -1:
		return "last"
	case n < 0:
		return ordinalPhrase(strconv.Itoa(-n)) + " to last"
	}
	suffix := "th"
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return strconv.Itoa(n) + suffix
}

func monthName(s string) string {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 12 {
		return s
	}
	return time.Month(n).String()
}
