package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// months maps the English, German and French names of months and their abbreviations to their numbers.
var months = map[string]int{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
	"januar": 1, "jänner": 1, "februar": 2, "märz": 3, "maerz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10, "dezember": 12, "mär": 3, "okt": 10, "dez": 12,
	"janvier": 1, "février": 2, "mars": 3, "avril": 4, "juin": 6, "juillet": 7, "août": 8, "septembre": 9, "octobre": 10, "novembre": 11, "décembre": 12, "janv": 1, "févr": 2, "avr": 4, "juil": 7, "déc": 12,
}

// formatDay returns the term of a day, or "" if there is no such day.
func formatDay(year, month, day int) string {
	if !isYear(year) || month < 1 || month > 12 || day < 1 || day > 31 {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

// formatMonth returns the term of a month, or "" if there is no such month.
func formatMonth(year, month int) string {
	if !isYear(year) || month < 1 || month > 12 {
		return ""
	}
	return fmt.Sprintf("%04d-%02d", year, month)
}

func isYear(n int) bool { return 1000 <= n && n <= 2999 }

// isDate reports whether a term is a date and not a version.
func isDate(term string) bool { return len(term) >= len("2006-01") && term[4] == '-' }

// IsDateTerm reports whether a term is that of a date, with or without a year, or of a number with dots, which may be
// one.
func IsDateTerm(term string) bool {
	if len(term) < len("x1.1.24") || Field(term[0]) != specialField {
		return false
	}
	return isDate(term[1:]) || strings.HasPrefix(term[1:], "--") || isDigitByte(term[1]) && strings.Count(term, ".") == 2
}

// parseDate parses a date that begins with a number, in one of these forms: 2024-11-05, 2024/11/5,
// 2024.11.05, 2024_11_05, 20241105, 202411050930 with a time of day, 2024年11月5日, 2024-11, 2024年11月,
// 2024 Nov 5, 5.11.2024, 05.11.24, 13/11/2024 and 11/13/24.
func parseDate(text string) (date string, length int) {
	first, n := parseDigits(text, 8)
	switch {
	case n == 8:
		if date = formatDay(first/10000, first/100%100, first%100); date != "" && isYearOfNow(first/10000) {
			return date, n
		}
		return "", 0
	case (n == 12 || n == 14) && text[8:10] < "24" && text[10:12] < "60": // with hour, minute, second
		if date, _ = parseDate(text[:len("20241105")]); date != "" {
			return date, n
		}
		return "", 0
	case n == 4:
		if date, length = parseYearMonthName(first, text, n); length > 0 {
			return date, length
		}
		return parseYearFirst(first, text, n)
	case n <= 2:
		return parseDayFirst(first, text, n)
	}
	return "", 0
}

// isYearOfNow reports whether a year makes eight digits without separators a plausible date.
func isYearOfNow(year int) bool { return 1900 <= year && year <= 2099 }

func parseYearFirst(year int, text string, at int) (date string, length int) {
	mark, n := dateSeparator(text[at:], "年")
	if n == 0 {
		return "", 0
	}
	month, digitsOfMonth := parseMonthOrDay(text[at+n:], mark)
	if month < 0 {
		return "", 0
	}
	at += n + digitsOfMonth
	if m, n := dateSeparator(text[at:], "月"); n > 0 && (m == mark || mark == "年" && m == "月") {
		if day, digitsOfDay := parseMonthOrDay(text[at+n:], mark); day > 0 {
			if date = formatDay(year, month, day); date != "" {
				return date, at + n + digitsOfDay + len(dayCharacter(text[at+n+digitsOfDay:]))
			}
		}
		if m == "月" {
			at += n
		}
	}
	if mark == "." || digitsOfMonth < 2 && mark != "年" { // a version or a fraction
		return "", 0
	}
	if date = formatMonth(year, month); date == "" {
		return "", 0
	}
	return date, at
}

// parseMonthOrDay parses a month or day, which may be in Chinese characters after 年.
func parseMonthOrDay(text, mark string) (n, length int) {
	n, length = parseDigits(text, 2)
	if length > 0 || mark != "年" {
		return n, length
	}
	if n, length = parseChineseNumber(text); length == 0 || dateUnit(text[length:]) == "" {
		return -1, 0 // 1980年三 may go on with what there were three of
	}
	return n, length
}

// parseYearMonthName parses a year before the name of a month and a day: 2024 Nov 5, 2024-Nov-05.
// The day is required, because otherwise "in 2024 may" would match.
func parseYearMonthName(year int, text string, at int) (date string, length int) {
	rest := strings.TrimLeft(text[at:], aroundMonth)
	month, n := parseMonthName(rest)
	if month == 0 {
		return "", 0
	}
	after := strings.TrimLeft(rest[n:], aroundMonth)
	day, m := parseDigits(after, 2)
	if date = formatDay(year, month, day); date == "" {
		return "", 0
	}
	return date, len(text) - len(after) + m
}

// aroundMonth contains the characters allowed between the name of a month and the numbers of a
// date.
const aroundMonth = " -/."

// parseMonthName parses the name of a month at the beginning of a text. month is 0 if there is
// none.
func parseMonthName(text string) (month, length int) {
	if length = runLength(text, isWord); length > len("september") {
		return 0, length
	}
	return months[strings.ToLower(text[:length])], length
}

// dateSeparator returns the separator at the beginning of a text: character, or one of - / . and _.
func dateSeparator(text, character string) (mark string, length int) {
	rest := strings.TrimPrefix(text, " ")
	if after, ok := strings.CutPrefix(rest, character); ok {
		return character, len(text) - len(strings.TrimPrefix(after, " "))
	}
	if text != "" && strings.Contains("-/._", text[:1]) {
		return text[:1], 1
	}
	return "", 0
}

// ChineseDateNumber returns the number in Chinese characters of a year, month or day at the beginning of a text, in
// digits, and its length; 0 if there is none.
func ChineseDateNumber(text string) (digits string, length int) {
	first, size := utf8.DecodeRuneInString(text)
	if !isChineseDigit(first) && chineseUnits[first] == 0 {
		return "", 0
	}
	number, length := parseChineseNumber(text)
	if length < size || dateUnit(text[length:]) == "" && !strings.HasPrefix(text[length:], "年") {
		return "", 0
	}
	return strconv.Itoa(number), length
}

// dateUnit returns the character after a month or day in Chinese characters; "" if there is none.
func dateUnit(text string) string {
	for _, unit := range []string{"月", "日", "号", "號"} {
		if strings.HasPrefix(strings.TrimPrefix(text, " "), unit) {
			return unit
		}
	}
	return ""
}

func dayCharacter(text string) string {
	rest := strings.TrimPrefix(text, " ")
	for _, mark := range []string{"日", "号", "號"} {
		if strings.HasPrefix(rest, mark) {
			return text[:len(text)-len(rest)+len(mark)]
		}
	}
	return ""
}

// parseDayFirst parses a date that ends with its year: 5.11.2024, in which the day always comes
// first, and dates with other separators if they have only one interpretation, such as 13/11/2024
// and 11-13-2024. The year may have two digits: 05.11.24, 11/25/24.
func parseDayFirst(first int, text string, at int) (date string, length int) {
	mark := text[at:min(at+1, len(text))]
	if mark == "" || !strings.Contains("-/.", mark) {
		return "", 0
	}
	second, n := parseDigits(text[at+1:], 2)
	at += 1 + max(0, n)
	if second < 0 || !strings.HasPrefix(text[at:], mark) {
		return "", 0
	}
	year, n := parseDigits(text[at+1:], 4)
	if n == 2 {
		year = shortYear(year, text[:at+1+n], text[at+1+n:], mark)
	}
	if year < 0 {
		return "", 0
	}
	at += 1 + n
	const lastMonth = 12
	day, month := first, second
	switch {
	case mark == ".", first > lastMonth, first == second: // unambiguous
	case second > lastMonth:
		day, month = second, first
	default: // ambiguous
		return "", 0
	}
	if date = formatDay(year, month, day); date == "" {
		return "", 0
	}
	return date, at
}

// ambiguousDays returns both days that a date such as 5/11/2024 may mean, of which it is not known
// whether the day or the month comes first.
func ambiguousDays(text string) (days []string) {
	first, n := parseDigits(text, 2)
	mark := text[max(0, n):min(max(0, n)+1, len(text))]
	if first < 1 || mark != "/" && mark != "-" {
		return nil
	}
	second, m := parseDigits(text[n+1:], 2)
	rest := text[n+1+m:]
	if second < 1 || !strings.HasPrefix(rest, mark) {
		return nil
	}
	year, length := parseDigits(rest[1:], len("2006"))
	if length != len("2006") || !endsWord(rest, 1+length) {
		return nil
	}
	for _, day := range []string{formatDay(year, second, first), formatDay(year, first, second)} {
		if day != "" {
			days = append(days, day)
		}
	}
	return days
}

// shortYear returns the year for two digits at the end of a date, or -1 if they may be something
// else: part of a longer number, or of a version, whose numbers have no leading zeros. With
// hyphens, the first number may be the year.
func shortYear(year int, date, after, mark string) int {
	isLonger := !endsWord(after, 0) || len(after) > 1 && after[:1] == mark && isDigitByte(after[1])
	if isLonger || mark == "-" || mark == "." && len(date) < len("05.11.24") {
		return -1
	}
	return century(year) + year
}

// dayOfVersion returns the term of the day that a version such as 17.4.24 may be; nil if it is none.
func dayOfVersion(version string) []string {
	parts := strings.Split(version, ".")
	if len(parts) != 3 || len(version) >= len("05.11.24") || len(parts[2]) != 2 {
		return nil
	}
	day, _ := parseDigits(parts[0], 2)
	month, _ := parseDigits(parts[1], 2)
	year, _ := parseDigits(parts[2], 2)
	if date := formatDay(century(year)+year, month, day); date != "" {
		return []string{string(specialField) + date}
	}
	return nil
}

// shortDayForms returns, for the term of a day, those of the versions that may be the day: 17.4.24.
func shortDayForms(term string) (forms []string) {
	date := WithoutField(term)
	if len(date) != len("2006-01-02") || !isDate(date) {
		return nil
	}
	year, _ := parseDigits(date[:4], 4)
	month, _ := parseDigits(date[5:7], 2)
	day, _ := parseDigits(date[8:], 2)
	if century(year%100)+year%100 != year {
		return nil
	}
	for _, format := range []string{"%c%d.%d.%02d", "%c%02d.%d.%02d", "%c%d.%02d.%02d"} {
		short := fmt.Sprintf(format, specialField, day, month, year%100)
		if len(short) <= len("05.11.24") && !slices.Contains(forms, short) {
			forms = append(forms, short)
		}
	}
	return forms
}

// century returns the first year of the century of a year in two digits.
func century(year int) int {
	const firstOfLastCentury = 69 // as in strptime of POSIX
	if year < firstOfLastCentury {
		return 2000
	}
	return 1900
}

// parseDayMonthName parses a day before the name of its month: 5 Nov 2024, 5th of November 2024.
func parseDayMonthName(text string) (date string, length int) {
	day, n := parseDigits(text, 2)
	if day < 1 {
		return "", 0
	}
	rest := text[n:]
	for _, ending := range []string{"st", "nd", "rd", "th", "er", "."} {
		rest = strings.TrimPrefix(rest, ending)
	}
	rest = strings.TrimPrefix(strings.TrimLeft(rest, aroundMonth), "of ")
	month, word := parseMonthName(rest)
	if month == 0 {
		return "", 0
	}
	year, m := parseYearAfter(rest[word:])
	if date = formatDay(year, month, day); date == "" {
		return "", 0
	}
	return date, len(text) - len(rest) + word + m
}

// parseAfterMonthName parses the rest of a date after the name of a month: a day and a year, or a
// year.
func parseAfterMonthName(month int, text string) (date string, length int) {
	if year, n := parseYearAfter(text); n > 0 {
		return formatMonth(year, month), n
	}
	rest := strings.TrimLeft(text, aroundMonth)
	day, n := parseDigits(rest, 2)
	if day < 1 || len(rest) == len(text) {
		return "", 0
	}
	for _, ending := range []string{"st", "nd", "rd", "th"} {
		if strings.HasPrefix(rest[n:], ending) {
			n += len(ending)
		}
	}
	year, m := parseYearAfter(rest[n:])
	if date = formatDay(year, month, day); date == "" {
		return "", 0
	}
	return date, len(text) - len(rest) + n + m
}

// parseYearAfter parses a year after a comma, a full stop, a hyphen, a slash or a space.
func parseYearAfter(text string) (year, length int) {
	rest := strings.TrimLeft(text, ","+aroundMonth)
	n, length := parseDigits(rest, 4)
	if length != len("2006") || !isYear(n) || len(rest) == len(text) {
		return 0, 0
	}
	return n, len(text) - len(rest) + length
}

// parseChineseDate parses a date whose year is written in Chinese characters: 二〇二四年十一月五日.
func parseChineseDate(text string) (date string, length int) {
	year, n := parseChineseNumber(text)
	if !isYear(year) {
		return "", 0
	}
	return parseYearFirst(year, text, n)
}

// TrimLeadingZeros returns a number without leading zeros, so that it matches names such as pep-0484;
// other terms are returned unchanged.
func TrimLeadingZeros(term string) string {
	if n, err := strconv.Atoi(term); err == nil && len(term) > 1 && term[0] == '0' {
		return strconv.Itoa(n)
	}
	return term
}
