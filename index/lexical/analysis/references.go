package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// leastReferred is how many letters a word needs for its superscript to be that of a note or a
// reference: after a shorter one it is a power, as in m² and cm³.
const leastReferred = 4

// splitReferences puts a space between a word and its superscript number, which NFKC would make a
// part of it: "hypoglycaemia¹²".
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

// hasSuperscript reports whether a text may have a superscript digit, by their first bytes.
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
