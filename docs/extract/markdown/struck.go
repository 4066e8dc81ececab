package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Struck keeps text that is struck out apart from what is put in its place: of "5 mg" and
// "10 mg" no "5 mg10 mg" becomes.
type Struck struct {
	isOpen bool
	from   int // where it begins in what is written
}

// Separate returns the text that is to be written next, with a space before it where struck text
// precedes it.
func (s *Struck) Separate(written *strings.Builder, text string, isStruck bool) string {
	switch {
	case text == "" || isStruck && s.isOpen:
	case isStruck:
		s.isOpen, s.from = true, written.Len()
	case s.isOpen:
		s.isOpen = false
		if all := written.String(); IsReplaced(all[min(s.from, len(all)):], text) {
			return " " + text
		}
	}
	return text
}

// IsReplaced reports whether a text stands in the place of one that is struck out, rather than goes on
// with the same word: "colo~~u~~r" is one.
func IsReplaced(struck, text string) bool {
	last, _ := utf8.DecodeLastRuneInString(struck)
	first, _ := utf8.DecodeRuneInString(text)
	return len(struck) <= 2*MaxHeading && !unicode.IsSpace(last) && (unicode.IsLetter(first) || unicode.IsDigit(first)) && strings.ContainsAny(struck, " 0123456789")
}
