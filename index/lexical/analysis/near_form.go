package analysis

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

var (
	versionNumber = lazyregexp.New(`^[0-9]+(?:\.[0-9]+)+$`)
	// dayOfMonth matches a day and a month, without a year: 14 March, March 14th, 3月14日.
	dayOfMonth = lazyregexp.New(`\b([0-9]{1,2})(?:st|nd|rd|th|er|\.)?[ -](?:of )?(\pL{3,9})|(\pL{3,9})\.? ([0-9]{1,2})(?:st|nd|rd|th)?\b|([0-9]{1,2})月([0-9]{1,2})[日号號]`)
)

// HasNearForms reports whether texts may have a word that occurs nowhere in a nearby form: a version that goes on, or
// a day without its year.
func HasNearForms(word string) bool { return versionNumber.MatchString(word) || dayIn(word) != "" }

// NearFormIn returns the nearby form of a word in a text, such as 3.12.1 for 3.12 and 14 March for 14 March 2026; ""
// if it has none.
func NearFormIn(word, text string) string {
	if versionNumber.MatchString(word) {
		return longerVersionIn(word, text)
	}
	if day := dayIn(word); day != "" {
		return dayWithoutYearIn(day, text)
	}
	return ""
}

// dayIn returns the term of the day that a word is; "" if it is none.
func dayIn(word string) string {
	for _, w := range specialTokens(word) {
		if day := WithoutField(w.term); w.start == 0 && w.end == len(word) && isDate(day) && len(day) == len("2006-01-02") {
			return day
		}
	}
	return ""
}

func longerVersionIn(version, text string) string {
	for start, end := range occurrencesOf(text, version+".") {
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after := text[end:]
		if n := runLength(after, func(r rune) bool { return r == '.' || '0' <= r && r <= '9' }); n > 0 && after[0] != '.' && !isLetterOrDigit(before) && before != '.' {
			return strings.TrimRight(text[start:end+n], ".")
		}
	}
	return ""
}

// dayWithoutYearIn returns where a text has the month and day of a day without a year.
func dayWithoutYearIn(day, text string) string {
	for _, at := range dayOfMonth.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return text[at[2*i]:at[2*i+1]]
		}
		month, number := group(5), group(6)
		for i, name := range []string{group(2), group(3)} {
			if m := months[strings.ToLower(name)]; m > 0 {
				month, number = strconv.Itoa(m), group(1+3*i)
			}
		}
		m, _ := parseDigits(month, 2)
		d, _ := parseDigits(number, 2)
		if m < 1 || formatDay(2000, m, d) != "2000"+day[4:] {
			continue
		}
		if _, n := parseYearAfter(text[at[1]:]); n == 0 && !strings.HasSuffix(strings.TrimRight(text[:at[0]], " "), "年") {
			return text[at[0]:at[1]]
		}
	}
	return ""
}
