package pdf

import (
	"strings"
	"unicode"
)

// TeX fonts that are embedded as Type 3 fonts give only codes for their characters. Two encodings
// are in use: OT1 (The TeXbook, appendix F) and T1, the Cork encoding (LaTeX font encodings,
// encguide.pdf, section 2.2).

// ot1 maps the codes of OT1 below the space to letters.
var ot1 = map[rune]string{
	'\x0B': "ff", '\x0C': "fi", '\x0D': "fl", '\x0E': "ffi", '\x0F': "ffl", '\x10': "ı", '\x11': "ȷ",
	'\x19': "ß", '\x1A': "æ", '\x1B': "œ", '\x1C': "ø", '\x1D': "Æ", '\x1E': "Œ", '\x1F': "Ø",
}

// t1 maps the codes of T1 below the space to ligatures and signs, which also occur between words.
var t1 = map[rune]string{
	'\x0D': "‚", '\x0E': "‹", '\x0F': "›", '\x10': "“", '\x11': "”", '\x12': "„", '\x13': "«", '\x14': "»", '\x15': "–", '\x16': "—", '\x17': "",
	'\x19': "ı", '\x1A': "ȷ", '\x1B': "ff", '\x1C': "fi", '\x1D': "fl", '\x1E': "ffi", '\x1F': "ffl",
}

// t1Letters are the letters of T1 from 0x80 on. From 0xC0 on, all codes but t1Others are those of
// Latin-1.
var (
	t1Letters = []rune("ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£")
	t1Others  = map[rune]rune{0xD7: 'Œ', 0xF7: 'œ', 0xFF: 'ß'}
)

// decodeTeXFonts replaces the codes of TeX fonts that are embedded as Type 3 fonts with characters.
func (p *textPage) decodeTeXFonts(glyphs []glyph) []glyph {
	if !strings.ContainsFunc(p.text, isControl) {
		return glyphs
	}
	isT1 := usesT1(glyphs)
	isRaw := isT1 && !p.namesCharacters(glyphs)
	out := make([]glyph, 0, len(glyphs)+len(glyphs)/16)
	for i, g := range glyphs {
		shown, ok := "", false
		switch {
		case isBullet(glyphs, i):
		case isT1 && g.char < ' ':
			shown, ok = t1[g.char]
		case isRaw && 0x80 <= g.char && g.char <= 0xFF:
			shown, ok = p.t1Letter(glyphs, i)
		case isBesideLetter(glyphs, i):
			shown, ok = ot1[g.char]
		}
		if !ok {
			out = append(out, g)
			continue
		}
		for _, r := range shown {
			out = append(out, glyph{r, g.at})
		}
	}
	return out
}

func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' }

// usesT1 reports whether a page has a ligature of T1 and none of OT1.
func usesT1(glyphs []glyph) (uses bool) {
	for i, g := range glyphs {
		if !isBesideLetter(glyphs, i) {
			continue
		}
		if '\x0B' <= g.char && g.char <= '\x0F' {
			return false
		}
		uses = uses || '\x1B' <= g.char && g.char <= '\x1F'
	}
	return uses
}

// namesCharacters reports whether a Type 3 font gives the names of its characters: one of them is
// beyond the range of codes.
func (p *textPage) namesCharacters(glyphs []glyph) bool {
	const most = 5
	looked := 0
	for _, g := range glyphs {
		if g.char > 0xFF && g.char != noCharacter && looked < most {
			looked++
			if p.fontName(g.at) == "" {
				return true
			}
		}
	}
	return false
}

func isBesideLetter(glyphs []glyph, i int) bool {
	return unicode.IsLetter(charAt(glyphs, i-1)) || unicode.IsLetter(charAt(glyphs, i+1))
}

// t1Letter returns the letter of T1, an encoding of TeX, for the code at index i, which must be from 0x80 on.
// It returns false if there is none, or if the font is not a Type 3 font: others give characters instead of
// codes.
func (p *textPage) t1Letter(glyphs []glyph, i int) (string, bool) {
	g := glyphs[i]
	shown, isOther := t1Others[g.char]
	if n := int(g.char) - 0x80; n < len(t1Letters) {
		shown = t1Letters[n]
	} else if !isOther {
		return "", false
	}
	return string(shown), p.fontName(g.at) == ""
}

// swapLigatureBytes repairs ligatures that Ghostscript before 10.01 wrote into text of other fonts
// than its own: f, i and l with the bytes of their codes swapped.
func (p *textPage) swapLigatureBytes(glyphs []glyph) []glyph {
	if !strings.ContainsRune(p.text, '昀') {
		return glyphs
	}
	swapped := map[rune]rune{'昀': 'f', '椀': 'i', '氀': 'l'}
	for i := 0; i < len(glyphs); i++ {
		end := i
		for end < len(glyphs) && swapped[glyphs[end].char] != 0 {
			end++
		}
		if end-i > 1 && glyphs[i].char == '昀' && (unicode.Is(unicode.Latin, charAt(glyphs, i-1)) || unicode.Is(unicode.Latin, charAt(glyphs, end))) {
			for j := i; j < end; j++ {
				glyphs[j].char = swapped[glyphs[j].char]
			}
		}
		i = max(i, end-1)
	}
	return glyphs
}
