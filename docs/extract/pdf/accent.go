package pdf

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// accents maps marks that are drawn above, below or through a letter to Unicode combining
// characters. The last ones are codes of OT1 (see texfont.go).
var accents = map[rune]rune{
	'`': '\u0300', '´': '\u0301', 'ˆ': '\u0302', '˜': '\u0303', '¯': '\u0304', '˘': '\u0306', '˙': '\u0307', '¨': '\u0308',
	'˚': '\u030A', '˝': '\u030B', 'ˇ': '\u030C', '¸': '\u0327', '˛': '\u0328', stroke: stroke, '/': stroke, '6': stroke,
	'\x12': '\u0300', '\x13': '\u0301', '\x14': '\u030C', '\x15': '\u0306', '\x16': '\u0304', '\x17': '\u030A', '\x18': '\u0327', '\x7F': '\u0308',
}

const stroke = '\u0338' // a stroke through a sign, as in ≠: dvips writes it as 6, other programs draw a /

// accentSigns are the accents that are recognised anywhere; for the others see isStroke.
const accentSigns = "`´ˆ˜¯˘˙¨˚˝ˇ¸˛\u0338\x12\x13\x14\x15\x16\x17\x18\x7F"

// composeAccents replaces a letter and a separately drawn accent, as in TeX, with the composed
// character, and a small circle after a number with the degree sign.
func (p *textPage) composeAccents(glyphs []glyph) []glyph {
	if !strings.ContainsAny(p.text, accentSigns+"◦∘") && !strings.Contains(p.text, "6=") && !strings.Contains(p.text+"\r", "/\r") {
		return glyphs
	}
	for i := 0; i < len(glyphs); i++ {
		c := glyphs[i].char
		switch {
		case c == '◦' || c == '∘':
			p.markDegrees(glyphs, i)
		case strings.ContainsRune(accentSigns, c) || isStroke(glyphs, i):
			base, composed := p.accented(glyphs, i)
			if base < 0 {
				continue
			}
			glyphs[base].char = composed
			glyphs = slices.Delete(glyphs, i, i+1)
			i--
		}
	}
	return glyphs
}

// isStroke reports whether the digit or sign at index i may be the stroke through an equals sign.
func isStroke(glyphs []glyph, i int) bool {
	switch glyphs[i].char {
	case '6':
		return charAt(glyphs, i+1) == '='
	case '/':
		return charAt(glyphs, i+1) == '\n'
	}
	return false
}

// accented returns the index of the letter to which an accent belongs, or -1, and the composed
// character. The letter is the next one, the previous one, or another one on the line, as PDFium
// moves raised characters to the end of the line.
func (p *textPage) accented(glyphs []glyph, accent int) (base int, composed rune) {
	candidates := []int{accent + 1, accent - 1}
	if charAt(glyphs, accent+1) == '\n' {
		for i := accent - 2; i >= 0 && glyphs[i].char != '\n'; i-- {
			candidates = append(candidates, i)
		}
	}
	mark := accents[glyphs[accent].char]
	for _, i := range candidates {
		composed := compose(charAt(glyphs, i), mark)
		if composed != 0 && (glyphs[accent].char == stroke && i == accent+1 || p.isDrawnOver(glyphs[accent].at, glyphs[i].at)) {
			return i, composed
		}
	}
	return -1, 0
}

// compose returns the character composed of a letter and an accent, or 0 if there is none.
func compose(letter, mark rune) rune {
	switch letter {
	case 'ı':
		letter = 'i'
	case 'ȷ':
		letter = 'j'
	}
	composed := norm.NFC.String(string([]rune{letter, mark}))
	r, size := utf8.DecodeRuneInString(composed)
	if size != len(composed) {
		return 0
	}
	return r
}

// isDrawnOver reports whether the centre of an accent is above, below or within a letter.
func (p *textPage) isDrawnOver(accent, letter int) bool {
	mark, base := p.inkBox(accent), p.charBox(letter)
	middle, room := (mark.left+mark.right)/2, base.height()/2
	return base.left <= middle && middle <= base.right && mark.bottom > base.bottom-room && mark.top < base.top+room
}

// markDegrees replaces the circle that TeX raises after a number with the degree sign.
func (p *textPage) markDegrees(glyphs []glyph, i int) {
	number := i - 1
	if charAt(glyphs, number) == ' ' {
		number--
	}
	if unicode.IsDigit(charAt(glyphs, number)) && p.isRaised(glyphs[number].at, glyphs[i].at) {
		glyphs[i].char = '°'
	}
}
