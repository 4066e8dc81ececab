package dicom

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract/markdown"
)

// personName formats a name such as "Yamada^Tarou^^Dr.=山田^太郎" for people (PS3.5, 6.2.1.2). It has
// up to three forms: in letters, in ideographs and in phonetic characters.
func personName(value string) string {
	var names []string
	for form := range strings.SplitSeq(value, "=") {
		names = append(names, nameOf(form))
	}
	return joinWords(" ", names...)
}

// familyFirst are the scripts in which the family name precedes the given name, without a space.
var familyFirst = []*unicode.RangeTable{unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana}

// nameOf formats a name of the components family, given, middle, prefix and suffix.
func nameOf(form string) string {
	var parts [5]string
	copy(parts[:], strings.Split(form, "^"))
	family, given, middle, prefix, suffix := parts[0], parts[1], parts[2], parts[3], parts[4]
	if first, _ := utf8.DecodeRuneInString(family); unicode.In(first, familyFirst...) {
		return markdown.OneLine(family + given + middle + " " + prefix + " " + suffix)
	}
	return markdown.OneLine(joinWords(" ", prefix, given, middle, family, suffix))
}

// dateOf formats a date such as 20240305 as 2024-03-05, and returns any other text unchanged.
func dateOf(s string) string {
	if s = strings.TrimSpace(s); len(s) != len("20240305") || !isNumber(s) {
		return s
	}
	return s[:4] + "-" + s[4:6] + "-" + s[6:]
}

// timeOf formats a time such as 101507.25 as 10:15, and returns any other text unchanged.
func timeOf(s string) string {
	if s = strings.TrimSpace(s); len(s) < len("1015") || !isNumber(s[:4]) {
		return s
	}
	return s[:2] + ":" + s[2:4]
}

// dateTimeOf formats a time such as 20240305101507.25+0100 as 2024-03-05 10:15, and returns any
// other text unchanged.
func dateTimeOf(s string) string {
	const dayLength = len("20240305")
	if s = strings.TrimSpace(s); len(s) < dayLength || !isNumber(s[:dayLength]) {
		return s
	}
	day, rest := dateOf(s[:dayLength]), s[dayLength:]
	if len(rest) < len("1015") || !isNumber(rest[:4]) {
		return day
	}
	return day + " " + timeOf(rest)
}

func isNumber(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}
