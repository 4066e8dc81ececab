package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/script"
)

// unwrap joins what the end of a line has parted: the halves of a word at a
// soft hyphen, which is how readers of PDF mark hyphenation, and characters of
// scripts that are written without spaces.
func unwrap(text string) string {
	if !strings.Contains(text, softHyphen) && !hasParted(text) {
		return text
	}
	var out strings.Builder
	out.Grow(len(text))
	for text != "" {
		n := strings.IndexAny(text, softHyphen+"\n")
		if n < 0 {
			break
		}
		before, after := text[:n], text[n:]
		switch {
		case after[0] != '\n':
			out.WriteString(before)
			text = strings.TrimLeftFunc(after[len(softHyphen):], unicode.IsSpace)
		case isParted(before, after[1:]):
			out.WriteString(strings.TrimRight(before, "\r"))
			text = after[1:]
		default:
			out.WriteString(before + "\n")
			text = after[1:]
		}
	}
	out.WriteString(text)
	return out.String()
}

const softHyphen = "\u00AD"

// hasParted tells whether isParted is true of any line end.
func hasParted(text string) bool {
	if isASCII(text) {
		return false
	}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' && isParted(text[:i], text[i+1:]) {
			return true
		}
	}
	return false
}

// isParted tells whether a line end stands between two characters that are
// written without a space.
func isParted(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, "\r"))
	first, _ := utf8.DecodeRuneInString(after)
	return script.IsUnspaced(last) && script.IsUnspaced(first) && !unicode.Is(unicode.Hangul, last)
}
