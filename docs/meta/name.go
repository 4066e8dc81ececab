package meta

import (
	"path"
	"strconv"
	"strings"
	"unicode"

	"vademecum/internal/base/lazyregexp"
)

// DateInFileName returns the day in the name of a file: the day at its start, as in daily notes and
// blog posts ("2024-11-05 Meeting.md"), or else the only day in it. It returns 0 if there is none
// or it is ambiguous: there are several, or it may be a version number. A name without a day may
// contain a month ("Discharge 2025-03.md").
func DateInFileName(file string) Date {
	name := toHalfWidth(path.Base(file))
	if d := parseLeadingDay(name); d != 0 {
		return d
	}
	only, hasYear := Date(0), false
	for at := 0; at < len(name); {
		digits := leadingDigits(name[at:])
		if digits == 0 {
			at++
			continue
		}
		d := Date(0)
		if mayPrecedeDay(name[:at]) {
			d = parseLeadingDay(name[at:])
		}
		if d != 0 && only != 0 && d != only {
			return 0
		}
		if at += digits; d != 0 {
			only = d
		}
		hasYear = hasYear || digits == len("2024")
	}
	if only != 0 || !hasYear {
		return only
	}
	name = strings.TrimSuffix(name, path.Ext(name))
	if d := parseNamedDay(name); d != 0 {
		return d
	}
	return parseNamedMonth(name)
}

var monthInName = lazyregexp.New(`(?:^|[^0-9A-Za-z.,/-])(?:((?:19|20)[0-9]{2})(?:[-_]([0-9]{2})|年([0-9]{1,2})月)|(\pL{3,9})\.?[ _-]((?:19|20)[0-9]{2}))(?:[^0-9A-Za-z.,/-]|$)`)

// parseNamedMonth parses the only month in a name: 2025-03, 2025_03, 2025年3月, March 2025. Anything
// that may be two years, such as 2010-11, is not a month.
func parseNamedMonth(name string) Date {
	months := monthInName.FindAllStringSubmatch(name, -1)
	if len(months) != 1 {
		return 0
	}
	m := months[0]
	year, _ := strconv.Atoi(m[1] + m[5])
	month, _ := strconv.Atoi(m[2] + m[3])
	if m[4] != "" {
		month = monthOf(m[4])
	}
	isNextYear := m[2] != "" && month == (year+1)%100
	if d, ok := dateOfNumbers(year, month, 0, 2); ok && !isNextYear {
		return d
	}
	return 0
}

// mayPrecedeDay reports whether a day may follow the text: there must be no word directly before
// it, except the "v" of a version.
func mayPrecedeDay(before string) bool {
	if before == "" || !isLatin(before[len(before)-1]) {
		return true
	}
	word := before[len(strings.TrimRightFunc(before, unicode.IsLetter)):]
	return word == "v" || word == "V"
}

// parseLeadingDay parses the day at the start of a text: 2024-11-05, 2024_11_05, 2024.11.05,
// 2024年11月5日, 20241105, optionally with a time as in 202411050930, or 13-11-2024, which is
// unambiguous. It returns 0 if there is none.
func parseLeadingDay(s string) Date {
	numbers, rest := leadingNumbers(s)
	switch {
	case len(numbers) == 0:
		return 0
	case len(numbers[0]) == len("20241105"), isTimestamp(numbers[0]):
		return parseEightDigits(numbers[0][:len("20241105")], s[len(numbers[0]):])
	case len(numbers) < 3:
		return 0
	case len(numbers[2]) == len("2024"):
		return parseYearLast(numbers)
	}
	date := s[:len(s)-len(rest)]
	if isVersion := strings.Count(date, ".") == 2 && len(date) < len("2024.11.05"); isVersion {
		return 0
	}
	d, _ := parseYearFirst(date)
	return d
}

// parseEightDigits parses a day without separators, and rejects numbers that may be part of a hash
// or a part number.
func parseEightDigits(digits, rest string) Date {
	if year := digits[:4]; year < "1900" || year > "2099" {
		return 0
	}
	if rest != "" && isLatin(rest[0]) && rest[0] != 'T' { // T precedes a time
		return 0
	}
	d, _ := parseYearFirst(digits)
	return d
}

// isTimestamp reports whether digits are a day with hours and minutes, and possibly seconds.
func isTimestamp(digits string) bool {
	return (len(digits) == 12 || len(digits) == 14) && digits[8:10] < "24" && digits[10:12] < "60"
}

// parseYearLast parses a day that ends with its year, if one of the first two numbers cannot be a
// month: others are ambiguous.
func parseYearLast(numbers []string) Date {
	var n [3]int
	for i, digits := range numbers {
		n[i], _ = strconv.Atoi(digits)
	}
	const lastMonth = 12
	if n[1] > lastMonth {
		n[0], n[1] = n[1], n[0]
	}
	if d, ok := dateOfNumbers(n[2], n[1], n[0], len(n)); ok && n[0] > lastMonth && 1900 <= n[2] && n[2] <= 2099 {
		return d
	}
	return 0
}

func isLatin(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// parseNamedDay parses the day in a name that contains the English name of the month: "5 Nov 2024",
// "November 5th, 2024". A day without a year, as in "5 May plans", does not count.
func parseNamedDay(name string) Date {
	words := strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",.-_", r) })
	for ; len(words) >= 3; words = words[1:] {
		dayOfMonth, month, year := words[0], words[1], words[2]
		if len(year) != len("2024") || leadingDigits(year) != len(year) {
			continue
		}
		if monthOf(month) == 0 {
			dayOfMonth, month = month, dayOfMonth
		}
		y, _ := strconv.Atoi(year)
		n, err := strconv.Atoi(strings.TrimRight(dayOfMonth, "stndrh"))
		if d, ok := dateOfNumbers(y, monthOf(month), n, 3); ok && err == nil {
			return d
		}
	}
	return 0
}
