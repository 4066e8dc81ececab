package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastReferred is the minimum number of letters of a word for a superscript after it to be a
// reference. After a shorter word it is a power, as in m² and cm³.
const leastReferred = 4

// splitReferences inserts a space between a word and a superscript number, which NFKC would
// otherwise make a part of the word: "hypoglycaemia¹²".
func splitReferences(text string) string {
	if !hasSuperscript(text) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text) + 8)
	letters := 0 // letters directly before the position
	for i, r := range text {
		if letters >= leastReferred && isSuperscript(r) {
			out.WriteByte(' ')
		}
		if unicode.IsLetter(r) {
			letters++
		} else if !unicode.IsMark(r) {
			letters = 0
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		out.WriteString(text[i : i+size])
	}
	return out.String()
}

// hasSuperscript is a fast check whether a text may contain a superscript digit.
func hasSuperscript(text string) bool {
	for _, s := range []string{"¹", "²", "³", "\xe2\x81"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

func isSuperscript(r rune) bool {
	return r == '¹' || r == '²' || r == '³' || r == '⁰' || '⁴' <= r && r <= '⁹'
}
