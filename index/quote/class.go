package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// charClass is the role of a character in a quotation.
type charClass byte

const (
	solid charClass = iota // a letter or a digit
	sign                   // significant in itself, such as a percent sign
	space
	dash
	mark // punctuation of sentences, or a bracket
	none // a quotation mark, or markup of Markdown
)

var asciiClasses = func() (table [utf8.RuneSelf]charClass) {
	for i := range table {
		switch c := byte(i); {
		case '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z':
			table[i] = solid
		case c <= ' ' || c == 0x7f:
			table[i] = space
		case strings.IndexByte("\"'`*_|\\", c) >= 0:
			table[i] = none
		case strings.IndexByte(".,;:!?()[]{}", c) >= 0:
			table[i] = mark
		case c == '-':
			table[i] = dash
		default:
			table[i] = sign
		}
	}
	return table
}()

func charClassOf(r rune) charClass {
	switch {
	case r < utf8.RuneSelf:
		return asciiClasses[r]
	case script.IsUnifiedHan(r) || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
		return solid
	case unicode.IsSpace(r) || unicode.Is(unicode.Cf, r):
		return space
	case unicode.Is(unicode.Pd, r) || r == '−':
		return dash
	case unicode.In(r, unicode.Pi, unicode.Pf) || r == '‚' || r == '„' || 0x300a <= r && r <= 0x300f || unicode.Is(unicode.Co, r) || 0x25a0 <= r && r <= 0x25ff || 0x2700 <= r && r <= 0x27bf:
		return none // including bullets and ticks
	case r == '′' || r == '″' || r == '‰' || r == '‱':
		return sign
	case unicode.IsPunct(r):
		return mark
	}
	return sign
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' || r >= utf8.RuneSelf && unicode.IsDigit(r) }
