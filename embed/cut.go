package embed

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/script"
)

// cut returns the start of a text that has so many tokens at most, to the last
// white space if there is some near its end.
func cut(text string, most int) string {
	start := script.FirstTokens(text, most)
	if len(start) == len(text) {
		return text
	}
	return trimWord(start)
}

// firstCharacters is cut for characters.
func firstCharacters(text string, most int) string {
	n := 0
	for at := range text {
		if n == most {
			return trimWord(text[:at])
		}
		n++
	}
	return text
}

// trimWord takes a word that was cut off the end of a text, unless that would
// cost more than a fifth of the text.
func trimWord(text string) string {
	at := strings.LastIndexFunc(text, unicode.IsSpace)
	if at < len(text)*4/5 {
		return text
	}
	return strings.TrimRightFunc(text[:at], unicode.IsSpace)
}

// half returns the first half of a text.
func half(text string) string {
	at := len(text) / 2
	for at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return trimWord(text[:at])
}
