package office

import (
	"strconv"
	"strings"
)

// Symbol returns the character that a symbol font shows (ECMA-376 part 1,
// 17.3.3.30), or "" if that is unknown.
func Symbol(font, char string) string {
	code, err := strconv.ParseUint(char, 16, 16)
	if err != nil {
		return ""
	}
	return SymbolText(font, string(rune(code)))
}

// SymbolText returns text with the characters of the symbol fonts, which Word
// keeps in U+F020 to U+F0FF, as Unicode has them.
func SymbolText(font, text string) string {
	if font == "" {
		return text
	}
	table := symbolFonts[strings.ToLower(font)]
	if table == nil {
		return text
	}
	return strings.Map(func(r rune) rune {
		if !isPrivate(r) {
			return r
		}
		if s, ok := table[byte(r)]; ok {
			return s
		}
		return r
	}, text)
}

func isPrivate(r rune) bool { return 0xF020 <= r && r <= 0xF0FF }

var symbolFonts = map[string]map[byte]rune{
	"symbol": symbolFont(),
	"wingdings": {
		0x6C: '●', 0x6D: '❍', 0x6E: '■', 0x6F: '□', 0x71: '❑', 0x75: '◆', 0x76: '❖', 0x9F: '•', 0xA7: '▪', 0xA8: '◻',
		0xD8: '➢', 0xDF: '←', 0xE0: '→', 0xE1: '↑', 0xE2: '↓', 0xE8: '➔', 0xEF: '⇦', 0xF0: '⇨', 0xF3: '⇔',
		0xFB: '✗', 0xFC: '✓', 0xFD: '☒', 0xFE: '☑', 0x4A: '☺', 0x4C: '☹', 0x28: '☎', 0x2A: '✉',
	},
	"wingdings 2": {0x50: '✓', 0x4F: '✗', 0x51: '☒', 0x52: '☑', 0xA3: '□', 0x97: '●'},
}

// symbolFont is the encoding of the font Symbol (Unicode mapping of Adobe,
// symbol.txt), without its pieces of brackets.
func symbolFont() map[byte]rune {
	m := map[byte]rune{
		0x22: '∀', 0x24: '∃', 0x27: '∋', 0x2A: '∗', 0x2D: '−', 0x40: '≅', 0x5C: '∴', 0x5E: '⊥', 0x7E: '∼',
		0xA0: '€', 0xA1: 'ϒ', 0xA2: '′', 0xA3: '≤', 0xA4: '⁄', 0xA5: '∞', 0xA6: 'ƒ', 0xA7: '♣', 0xA8: '♦', 0xA9: '♥',
		0xAA: '♠', 0xAB: '↔', 0xAC: '←', 0xAD: '↑', 0xAE: '→', 0xAF: '↓', 0xB0: '°', 0xB1: '±', 0xB2: '″', 0xB3: '≥',
		0xB4: '×', 0xB5: '∝', 0xB6: '∂', 0xB7: '•', 0xB8: '÷', 0xB9: '≠', 0xBA: '≡', 0xBB: '≈', 0xBC: '…', 0xC4: '⊗',
		0xC5: '⊕', 0xC6: '∅', 0xC7: '∩', 0xC8: '∪', 0xC9: '⊃', 0xCA: '⊇', 0xCB: '⊄', 0xCC: '⊂', 0xCD: '⊆', 0xCE: '∈',
		0xCF: '∉', 0xD0: '∠', 0xD1: '∇', 0xD2: '®', 0xD3: '©', 0xD4: '™', 0xD5: '∏', 0xD6: '√', 0xD7: '⋅', 0xD8: '¬',
		0xD9: '∧', 0xDA: '∨', 0xDB: '⇔', 0xDC: '⇐', 0xDD: '⇑', 0xDE: '⇒', 0xDF: '⇓', 0xE5: '∑', 0xF2: '∫',
	}
	for i, r := range []rune("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ") {
		m[byte(0x41+i)] = r
	}
	for i, r := range []rune("αβχδεφγηιϕκλμνοπθρστυϖωξψζ") {
		m[byte(0x61+i)] = r
	}
	for c := byte(0x20); c < 0x40; c++ {
		if _, ok := m[c]; !ok {
			m[c] = rune(c)
		}
	}
	m[0x5B], m[0x5D], m[0x5F], m[0x7B], m[0x7C], m[0x7D] = '[', ']', '_', '{', '|', '}'
	return m
}
