package embed

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// cutToTokens returns the beginning of a text with at most maxTokens tokens, cut at the last white
// space if that is near the end.
func cutToTokens(text string, maxTokens int) string {
	start := script.TruncateToTokens(text, maxTokens)
	if len(start) == len(text) {
		return text
	}
	return trimCutWord(start)
}

// cutToCharacters returns the beginning of a text with at most maxCharacters characters, cut at the
// last white space if that is near the end.
func cutToCharacters(text string, maxCharacters int) string {
	n := 0
	for at := range text {
		if n == maxCharacters {
			return trimCutWord(text[:at])
		}
		n++
	}
	return text
}

// trimCutWord removes a word that was cut off at the end of a text, unless that would remove more
// than a fifth of the text.
func trimCutWord(text string) string {
	at := strings.LastIndexFunc(text, unicode.IsSpace)
	if at < len(text)*4/5 {
		return text
	}
	return strings.TrimRightFunc(text[:at], unicode.IsSpace)
}

// firstHalf returns the first half of a text.
func firstHalf(text string) string {
	at := len(text) / 2
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return trimCutWord(text[:at])
}
