package docs

import (
	"unicode/utf8"

	"vademecum/internal/script"
)

// The number of tokens of a text is estimated as 1.2 for each Han, kana and
// hangul character and one for 3.8 other characters, close enough for the
// tokenizers of embedding models. It is counted in 95ths of a token, so that
// estimates are whole numbers and those of adjacent texts add up exactly.
const (
	token      = 95
	wideRune   = token * 12 / 10
	narrowRune = token * 10 / 38
)

// cost returns the estimated number of tokens of text, in units of 1/token.
func cost(text string) int {
	sum := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			sum += narrowRune
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		sum += runeCost(r)
		i += size
	}
	return sum
}

func runeCost(r rune) int {
	if script.IsWide(r) {
		return wideRune
	}
	return narrowRune
}
