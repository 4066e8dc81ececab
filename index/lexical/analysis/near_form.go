package analysis

import (
	"strings"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

var versionNumber = lazyregexp.New(`^[0-9]+(?:\.[0-9]+)+$`)

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
	for _, d := range daysWithoutYear(text) {
		if formatDay(2000, d.month, d.day) == "2000"+day[4:] {
			return text[d.start:d.end]
		}
	}
	return ""
}
