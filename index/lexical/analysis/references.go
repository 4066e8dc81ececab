package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastReferred is how many letters a word has whose raised number is that of a note or a reference:
// of a shorter one it is a power, as in m² and cm³.
const leastReferred = 4

// splitReferences puts a space between a word and the raised number behind it, which NFKC would make
// a part of it: "hypoglycaemia¹²".
func splitReferences(text string) string {
	if !hasSuperscript(text) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text) + 8)
	letters := 0 // right before
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

// hasSuperscript reports whether a text may have a raised digit, by the bytes that these begin with.
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
