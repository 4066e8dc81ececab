package ranking

import (
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// isBorder reports whether a name may end next to a character: in scripts without spaces it may end
// anywhere.
func isBorder(r rune) bool { return isSeparator(r) || script.IsUnspaced(r) }

func firstRune(text string) rune {
	r, _ := utf8.DecodeRuneInString(text)
	return r
}

func lastRune(text string) rune {
	r, _ := utf8.DecodeLastRuneInString(text)
	return r
}
