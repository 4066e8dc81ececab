// Package script holds what several parts of the program must agree on about writing: the writing
// systems of characters, the function words, and the number of tokens that a text has for a model.
// It consists of tables and pure functions, and imports no other package of the program.
package script

import "unicode"

// WritingSystem is a writing system that the program can tell apart.
type WritingSystem uint8

const (
	OtherWritingSystem WritingSystem = iota // has spaces between words, or is not a letter
	Han                                     // Chinese characters
	HanSign                                 // signs for characters or parts of them: 々, 〇, radicals, old numerals
	Kana                                    // including the long vowel mark
	Hangul                                  // syllables and their letters
	EastAsianSymbol                         // East Asian, but not part of words: ・, 〆, free-standing voice marks
	SouthEastAsian                          // Thai, Lao, Khmer and Burmese
)

// blocks is the table of the East Asian systems, sorted: blocks of the Unicode Standard, and all of
// planes 2 and 3, where Han will grow.
var blocks = []struct {
	first, last rune
	system      WritingSystem
}{
	{0x1100, 0x11FF, Hangul},
	{0x2E80, 0x2FDF, HanSign},
	{0x3005, 0x3005, HanSign},
	{0x3006, 0x3006, EastAsianSymbol},
	{0x3007, 0x3007, HanSign},
	{0x3021, 0x3029, HanSign},
	{0x302E, 0x302F, Hangul},
	{0x3038, 0x303B, HanSign},
	{0x3041, 0x3096, Kana},
	{0x3097, 0x309C, EastAsianSymbol},
	{0x309D, 0x309F, Kana},
	{0x30A0, 0x30A0, EastAsianSymbol},
	{0x30A1, 0x30FA, Kana},
	{0x30FB, 0x30FB, EastAsianSymbol},
	{0x30FC, 0x30FF, Kana},
	{0x3130, 0x318F, Hangul},
	{0x31F0, 0x31FF, Kana},
	{0x3400, 0x4DBF, Han},
	{0x4E00, 0x9FFF, Han},
	{0xA960, 0xA97F, Hangul},
	{0xAC00, 0xD7FF, Hangul},
	{0xF900, 0xFAFF, Han},
	{0xFF66, 0xFF9D, Kana},
	{0xFFA0, 0xFFDC, Hangul},
	{0x1AFF0, 0x1B16F, Kana},
	{0x20000, 0x3FFFF, Han},
}

// WritingSystemOf returns the writing system of a character.
func WritingSystemOf(r rune) WritingSystem {
	const firstThai = 0x0E00
	switch {
	case r < firstThai:
		return OtherWritingSystem
	case 0x4E00 <= r && r <= 0x9FFF: // the common case
		return Han
	case r < 0x1A00 || 0xA9E0 <= r && r <= 0xAA7F:
		if unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			return SouthEastAsian
		}
	}
	for _, b := range blocks {
		if r <= b.last {
			if b.first <= r {
				return b.system
			}
			break
		}
	}
	return OtherWritingSystem
}

// IsEastAsian reports whether a character belongs to an East Asian system. Such a character carries
// about as much as a syllable, and is one or more tokens.
func IsEastAsian(r rune) bool { s := WritingSystemOf(r); return Han <= s && s <= EastAsianSymbol }

// IsUnspaced reports whether a character is part of a word in a system without spaces between
// words. Korean has spaces, but because of its endings a word is better found by its syllables.
func IsUnspaced(r rune) bool {
	s := WritingSystemOf(r)
	return s != OtherWritingSystem && s != EastAsianSymbol
}
