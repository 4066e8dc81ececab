package embed

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens a text has for a typical model: one for
// about five small letters of a word, three capitals, two digits, two letters
// of other alphabets, and each Chinese character or mark. It is meant to err on
// the high side: 1.3 tokens a word is usual in English, 0.6 to 1 a character in
// Chinese (https://help.openai.com/en/articles/4936856, 2026-11).
func Tokens(text string) int {
	var c tokenCounter
	n := 0
	for _, r := range text {
		n += c.next(r)
	}
	return n
}

// tokenCounter counts a text rune by rune.
type tokenCounter struct {
	class runeClass
	run   int // runes of this class in a row
}

type runeClass int

const (
	spaceRune runeClass = iota
	smallRune
	capitalRune
	digitRune
	letterRune // of another alphabet
	soloRune   // a token of its own
)

// each is how many runes of a class in a row make a token.
var each = [...]int{spaceRune: 16, smallRune: 5, capitalRune: 3, digitRune: 2, letterRune: 2, soloRune: 1}

// next returns how many tokens begin with r.
func (c *tokenCounter) next(r rune) int {
	class := classOf(r)
	if class != c.class {
		inWord := class == smallRune && c.class == capitalRune && c.run == 1
		c.class, c.run = class, 0
		if inWord { // one capital begins a word and is no token
			c.run = 1
		}
	}
	c.run++
	if class == spaceRune { // the first one belongs to a word
		return btoi(c.run%each[class] == 0)
	}
	return btoi((c.run-1)%each[class] == 0)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func classOf(r rune) runeClass {
	switch {
	case 'a' <= r && r <= 'z':
		return smallRune
	case 'A' <= r && r <= 'Z':
		return capitalRune
	case '0' <= r && r <= '9':
		return digitRune
	case unicode.IsSpace(r):
		return spaceRune
	case r < 0x80 || r >= 0x2e80: // marks; scripts without spaces, syllables, emoji
		return soloRune
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letterRune
	}
	return soloRune
}

// cut returns the start of a text that has so many tokens at most, to the last
// white space if there is some near its end.
func cut(text string, most int) string {
	var c tokenCounter
	n := 0
	for i, r := range text {
		if n += c.next(r); n > most {
			return trimWord(text[:i])
		}
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
