package docs

import "unicode/utf8"

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
	if isWide(r) {
		return wideRune
	}
	return narrowRune
}

// isWide reports whether r is a Han, kana or hangul character.
func isWide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case 0x4E00 <= r && r <= 0x9FFF, 0x3400 <= r && r <= 0x4DBF: // Han
		return true
	case 0x3041 <= r && r <= 0x30FF, 0x31F0 <= r && r <= 0x31FF, 0xFF66 <= r && r <= 0xFF9D: // kana
		return true
	case 0xAC00 <= r && r <= 0xD7AF, r <= 0x11FF, 0x3130 <= r && r <= 0x318F: // hangul
		return true
	case 0x2E80 <= r && r <= 0x2FDF, 0x3005 <= r && r <= 0x3007, 0xF900 <= r && r <= 0xFAFF, 0x20000 <= r && r <= 0x3FFFF: // Han
		return true
	}
	return false
}
