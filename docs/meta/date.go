package meta

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"vademecum/internal/base/message"
)

// Date is a day in the form 20241105. 20241100 is a whole month, 20240000 a whole year, and 0 no
// date. Dates compare as numbers: a month or year precedes its days.
type Date int32

// DateOf returns the day of a time in the local time zone.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	if t.IsZero() || year > 9999 || year < 1 {
		return 0
	}
	return Date(year*10000 + int(month)*100 + day)
}

// String returns "2024", "2024-11" or "2024-11-05", or "" for no date.
func (d Date) String() string {
	year, month, day := int(d)/10000, int(d)/100%100, int(d)%100
	switch {
	case d == 0:
		return ""
	case month == 0:
		return fmt.Sprintf("%04d", year)
	case day == 0:
		return fmt.Sprintf("%04d-%02d", year, month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

// MarshalText implements encoding.TextMarshaler with the result of String.
func (d Date) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UpperBound returns the largest date within d: for a month or a year it is larger than all of its
// days.
func (d Date) UpperBound() Date {
	switch {
	case d == 0:
		return 0
	case d%10000 == 0:
		return d + 9999
	case d%100 == 0:
		return d + 99
	}
	return d
}

var errDate = message.Errorf("a date such as 2024, 2024-11 or 2024-11-05")

// ParseDate parses a date as people and programs write it: with numbers from the year to the day
// (2024-11-05, 2024/11/5, 2024.11.05, 2024_11_05, 20241105, 2024年11月5日, each optionally followed by
// a time), or with the English name of the month (5 Nov 2024, November 5, 2024). Numbers that begin
// with the day or month are rejected as ambiguous.
func ParseDate(s string) (Date, error) {
	s = strings.TrimSpace(toHalfWidth(s))
	if d, ok := parseYearFirst(s); ok {
		return d, nil
	}
	if d, ok := parseMonthName(s); ok {
		return d, nil
	}
	return 0, errDate
}

// toHalfWidth replaces full-width digits, such as ２０２４, with ASCII digits.
func toHalfWidth(s string) string {
	if !strings.ContainsFunc(s, isWideDigit) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isWideDigit(r) {
			return r - '０' + '0'
		}
		if r == '－' || r == '．' || r == '／' {
			return r - '！' + '!'
		}
		return r
	}, s)
}

func isWideDigit(r rune) bool { return '０' <= r && r <= '９' }

// parseYearFirst parses a date that begins with its year.
func parseYearFirst(s string) (Date, bool) {
	numbers, rest := leadingNumbers(s)
	if rest != "" && !strings.ContainsRune("Tt ,日", []rune(rest)[0]) || len(numbers) == 0 {
		return 0, false
	}
	if first := numbers[0]; len(numbers) == 1 && len(first) == 8 {
		numbers = []string{first[:4], first[4:6], first[6:]}
	}
	if len(numbers[0]) != 4 || len(numbers) == 1 && rest != "" {
		return 0, false
	}
	var n [3]int
	for i, digits := range numbers {
		if i > 0 && len(digits) > 2 {
			return 0, false
		}
		n[i], _ = strconv.Atoi(digits)
	}
	return dateOfNumbers(n[0], n[1], n[2], len(numbers))
}

// leadingNumbers cuts up to three numbers, with one date separator between them, off the start of a
// text.
func leadingNumbers(s string) (numbers []string, rest string) {
	for {
		digits := leadingDigits(s)
		if digits == 0 {
			return numbers, s
		}
		numbers, s = append(numbers, s[:digits]), s[digits:]
		next := s
		for _, separator := range []string{"-", "/", ".", "_", "年", "月", "–"} {
			if after, ok := strings.CutPrefix(s, separator); ok {
				next = after
				break
			}
		}
		if next == s || len(numbers) == 3 {
			return numbers, s
		}
		s = next
	}
}

// leadingDigits returns the number of digits at the start of a text.
func leadingDigits(s string) int {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return i
		}
	}
	return len(s)
}

// dateOfNumbers returns the date given by the first count of three numbers. ok is false if it does
// not exist.
func dateOfNumbers(year, month, dayOfMonth, count int) (Date, bool) {
	switch {
	case year < 1, count > 1 && (month < 1 || month > 12):
		return 0, false
	case count == 3:
		t := time.Date(year, time.Month(month), dayOfMonth, 0, 0, 0, 0, time.UTC)
		if dayOfMonth < 1 || t.Day() != dayOfMonth {
			return 0, false
		}
	}
	return Date(year*10000 + month*100 + dayOfMonth), true
}

// parseMonthName parses "5 Nov 2024", "November 5, 2024", "Nov 2024", optionally with the weekday
// before and a time after.
func parseMonthName(s string) (Date, bool) {
	const longest = 80 // bytes
	words := strings.FieldsFunc(s[:min(len(s), longest)], func(r rune) bool { return r == ',' || r == '-' || unicode.IsSpace(r) })
	year, month, dayOfMonth := 0, 0, 0
	for _, w := range words {
		digits := strings.TrimRightFunc(w, unicode.IsLetter)
		n, err := strconv.Atoi(digits)
		switch {
		case month == 0 && monthOf(w) > 0:
			month = monthOf(w)
		case err == nil && len(digits) == 4 && digits == w && year == 0:
			year = n
		case err == nil && len(digits) <= 2 && dayOfMonth == 0:
			dayOfMonth = n
		}
	}
	if month == 0 || year == 0 {
		return 0, false
	}
	if dayOfMonth == 0 {
		return dateOfNumbers(year, month, 0, 2)
	}
	return dateOfNumbers(year, month, dayOfMonth, 3)
}

// monthOf returns the number of a month, given its English name or the first three letters,
// otherwise 0.
func monthOf(word string) int {
	word = strings.TrimSuffix(word, ".")
	for m := time.January; m <= time.December; m++ {
		if name := m.String(); strings.EqualFold(word, name) || strings.EqualFold(word, name[:3]) {
			return int(m)
		}
	}
	if strings.EqualFold(word, "sept") {
		return int(time.September)
	}
	return 0
}

// dateKeys are the front matter keys for the date of a document; the first one present is used.
var dateKeys = []string{
	"date", "created", "created_at", "createdat", "date created", "date_created", "datecreated", "creation date", "creation_date",
	"published", "publishdate", "pubdate", "publish_date", "published_at", "日期", "创建日期", "创建时间", "发布日期",
	"updated", "modified", "lastmod", "last_modified", "date modified", "date_modified", "更新日期", "修改日期",
}

// dateOf returns the date in front matter, or 0.
func dateOf(fields []Field) Date {
	for _, key := range dateKeys {
		for _, f := range fields {
			if f.Key != key {
				continue
			}
			if d, err := ParseDate(f.Values[0]); err == nil {
				return d
			}
		}
	}
	return 0
}
