package pdf

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// superscripts maps digits and signs to Unicode superscripts.
var superscripts = map[rune]rune{
	'0': '⁰', '1': '¹', '2': '²', '3': '³', '4': '⁴', '5': '⁵', '6': '⁶', '7': '⁷', '8': '⁸', '9': '⁹',
	'+': '⁺', '-': '⁻', '−': '⁻', '–': '⁻',
}

// raiseDigits converts a power, a charge, or the number of a note or reference to Unicode
// superscripts if it is smaller and higher than the text before it: 10⁶ must not become 106.
func (p *textPage) raiseDigits(glyphs []glyph) []glyph {
	p.raiseAfterDigits(glyphs)
	most := 10 + len(glyphs)/60 // maximum number of positions examined
	base := -1                  // index of the character to which the last raised number belongs
	for i := 1; i < len(glyphs) && most > 0; i++ {
		switch {
		case base >= 0 && isListSign(glyphs[i-1].char) && isDigit(glyphs[i].char): // further numbers in a list of references
		case mayBeRaised(glyphs, i):
			base = i - 1
		case base >= 0 && isListSign(glyphs[i].char):
			continue
		default:
			base = -1
			continue
		}
		most--
		if end := p.raiseNumber(glyphs, base, i); end > i {
			i = end - 1
		} else {
			base = -1
		}
	}
	return p.raiseNotes(glyphs)
}

// raiseAfterDigits converts the number of a note or reference that directly follows a number: 130¹ mmHg
// must not become 1301 mmHg. Only the ends of each number are examined.
func (p *textPage) raiseAfterDigits(glyphs []glyph) {
	for start := 0; start < len(glyphs); start++ {
		if !isDigit(glyphs[start].char) {
			continue
		}
		end := start + 1
		for isDigit(charAt(glyphs, end)) {
			end++
		}
		raised := end - 1
		if end-start > 1 && p.isRaised(glyphs[start].at, glyphs[raised].at) {
			for raised-1 > start && p.isRaised(glyphs[start].at, glyphs[raised-1].at) {
				raised--
			}
			end = p.raiseList(glyphs, start, raised)
		}
		start = end
	}
}

// raiseList converts the number at index i, and those after it in a list of references, to superscripts
// if they are higher than the character base. It returns the end of the list.
func (p *textPage) raiseList(glyphs []glyph, base, i int) (end int) {
	for {
		end = p.raiseNumber(glyphs, base, i)
		if end == i || !isListSign(charAt(glyphs, end)) || !isDigit(charAt(glyphs, end+1)) || !p.isRaised(glyphs[base].at, glyphs[end].at) {
			return end
		}
		i = end + 1
	}
}

// raiseNotes converts the number at the start of a footnote to superscripts and separates it from
// the text.
func (p *textPage) raiseNotes(glyphs []glyph) []glyph {
	for i := 0; i < len(glyphs); i++ {
		if charAt(glyphs, i-1) != '\n' || !isDigit(glyphs[i].char) {
			continue
		}
		text := i
		for isDigit(charAt(glyphs, text)) {
			text++
		}
		if text-i > 3 || !unicode.IsLetter(charAt(glyphs, text)) || !p.isRaised(glyphs[text].at, glyphs[i].at) {
			continue
		}
		for ; i < text; i++ {
			glyphs[i].char = superscripts[glyphs[i].char]
		}
		glyphs = slices.Insert(glyphs, text, glyph{' ', glyphs[text-1].at})
	}
	return glyphs
}

// raiseNumber converts the number at index i to superscripts if it is higher than the character
// base. It returns the end of the number.
func (p *textPage) raiseNumber(glyphs []glyph, base, i int) (end int) {
	for end = i; end < len(glyphs) && superscripts[glyphs[end].char] != 0; end++ {
		if (end == i || !isDigit(glyphs[end].char)) && !p.isRaised(glyphs[base].at, glyphs[end].at) {
			break
		}
		glyphs[end].char = superscripts[glyphs[end].char]
	}
	return end
}

// raiseFirst returns a text with the digits and signs at its start converted to superscripts.
func raiseFirst(text string) string {
	rest := text
	var b strings.Builder
	for i, r := range text {
		if superscripts[r] == 0 {
			break
		}
		b.WriteRune(superscripts[r])
		rest = text[i+utf8.RuneLen(r):]
	}
	return b.String() + rest
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

// isListSign reports whether r may separate the numbers in a list of references.
func isListSign(r rune) bool { return strings.ContainsRune(",–-", r) }

// units are the short units and chemical elements that powers and charges may follow.
var units = map[string]bool{
	"m": true, "cm": true, "mm": true, "km": true, "dm": true, "nm": true, "µm": true, "s": true, "h": true, "d": true, "g": true, "kg": true,
	"L": true, "l": true, "dL": true, "mL": true, "Ca": true, "Mg": true, "Fe": true, "Cu": true, "Zn": true, "Na": true, "K": true, "Cl": true, "H": true,
}

// mayBeRaised reports whether the digit or sign at index i is where powers, charges and references
// occur: after a word, a unit, punctuation, or the base 10.
func mayBeRaised(glyphs []glyph, i int) bool {
	if superscripts[glyphs[i].char] == 0 {
		return false
	}
	isNumber := isDigit(glyphs[i].char)
	switch before := glyphs[i-1].char; {
	case unicode.IsLetter(before):
		word := wordBefore(glyphs, i)
		length := len([]rune(word))
		isUnit := units[word] || charAt(glyphs, i-length-1) == ' ' && isDigit(charAt(glyphs, i-length-2)) // 5 mg⁶
		return isNumber && length > 2 || isUnit && (isNumber || !unicode.IsLetter(charAt(glyphs, i+1)))
	case before == '0':
		return charAt(glyphs, i-2) == '1' && !isDigit(charAt(glyphs, i-3)) && charAt(glyphs, i-3) != '.' && (isNumber || isDigit(charAt(glyphs, i+1)))
	case strings.ContainsRune(".,;:)]”’", before):
		return isNumber && (unicode.IsLetter(charAt(glyphs, i-2)) || strings.ContainsRune(")]", before) || isAfterYear(glyphs, i-1))
	}
	return false
}

// isAfterYear reports whether four digits, as of a year, precede index i: "since 2020.²".
func isAfterYear(glyphs []glyph, i int) bool {
	digits := 0
	for isDigit(charAt(glyphs, i-1-digits)) {
		digits++
	}
	return digits == len("2020")
}

// wordBefore returns the letters directly before index i.
func wordBefore(glyphs []glyph, i int) string {
	start := i
	for unicode.IsLetter(charAt(glyphs, start-1)) {
		start--
	}
	word := make([]rune, 0, i-start)
	for _, g := range glyphs[start:i] {
		word = append(word, g.char)
	}
	return string(word)
}
