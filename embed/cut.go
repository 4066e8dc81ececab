package embed

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// cutToTokens returns the start of a text that has so many tokens at most, to the last
// white space if there is some near its end.
func cutToTokens(text string, most int) string {
	start := script.PrefixOfTokens(text, most)
	if len(start) == len(text) {
		return text
	}
	return trimCutWord(start)
}

// cutToCharacters is cutToTokens for characters.
func cutToCharacters(text string, most int) string {
	n := 0
	for at := range text {
		if n == most {
			return trimCutWord(text[:at])
		}
		n++
	}
	return text
}

// trimCutWord takes a word that was cut off the end of a text, unless that would
// cost more than a fifth of the text.
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
