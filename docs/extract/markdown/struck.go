package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// StrikethroughSeparator separates struck-out text from the text that replaces it: otherwise "5 mg" and "10 mg"
// would become "5 mg10 mg".
type StrikethroughSeparator struct {
	isOpen bool
	from   int // offset in the written text at which the struck-out text begins
}

// Separate returns text, the next to be appended to written. It prepends a space if text replaces
// the struck-out text at the end of written.
func (s *StrikethroughSeparator) Separate(written *strings.Builder, text string, isStruck bool) string {
	switch {
	case text == "" || isStruck && s.isOpen:
	case isStruck:
		s.isOpen, s.from = true, written.Len()
	case s.isOpen:
		s.isOpen = false
		if all := written.String(); IsReplacement(all[min(s.from, len(all)):], text) {
			return " " + text
		}
	}
	return text
}

// IsReplacement reports whether replacement, the text after struck-out text, replaces it rather than
// continuing the same word: "colo~~u~~r" is one word.
func IsReplacement(struck, replacement string) bool {
	last, _ := utf8.DecodeLastRuneInString(struck)
	first, _ := utf8.DecodeRuneInString(replacement)
	return len(struck) <= 2*MaxHeadingCharacters && !unicode.IsSpace(last) && (unicode.IsLetter(first) || unicode.IsDigit(first)) && strings.ContainsAny(struck, " 0123456789")
}
