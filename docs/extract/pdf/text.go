package pdf

import (
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/requests"

	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/symbols"
)

// noCharacter is what PDFium writes for a glyph that stands for no known
// character, and, in place of the hyphen and the line feed, where a word is
// divided between two lines.
const noCharacter = '\uFFFE'

// A textLine is a line of a page.
type textLine struct {
	text        string
	first, last int // its characters, counted in the text of the page
}

// lines returns the lines of the page that are not blank, and whether they can
// be read: most of their characters are characters.
//
// A word that is divided between two lines has a soft hyphen at the end of the
// first: nothing is lost, and who searches can join it.
func (p *textPage) lines() (lines []textLine, readable bool) {
	runes := []rune(p.text)
	good, bad := 0, max(0, p.chars-p.runes) // the engine leaves out some control characters
	var b strings.Builder
	start := 0
	end := func(next int) {
		if text := strings.TrimSpace(b.String()); text != "" {
			lines = append(lines, textLine{text, start, next - 1})
		}
		b.Reset()
		start = next + 1
	}
	for i, c := range runes {
		switch {
		case c == '\n':
			end(i)
		case c == '\r' && i+1 < len(runes) && runes[i+1] == '\n':
		case c == noCharacter && p.isHyphen(i):
			b.WriteRune('\u00AD')
			end(i)
		case texLigatures[c] != "" && i > 0 && unicode.IsLetter(runes[i-1]):
			b.WriteString(texLigatures[c])
			good++
		case charset.HasUnicodeMeaning(c):
			b.WriteRune(c)
			if !unicode.IsSpace(c) {
				good++
			}
		default:
			if shown := p.symbolCharacter(i, c); shown != 0 {
				b.WriteRune(shown)
				good++
				continue
			}
			b.WriteRune(unicode.ReplacementChar)
			bad++
		}
	}
	end(len(runes))
	return lines, good >= bad
}

// texLigatures are the ligatures of the fonts of TeX (OT1, The TeXbook,
// appendix F), which old files name by their code alone.
var texLigatures = map[rune]string{'\x0B': "ff", '\x0C': "fi", '\x0D': "fl", '\x0E': "ffi", '\x0F': "ffl"}

// symbolCharacter returns the character that a code of a font of symbols shows, 0 if that is
// unknown.
func (p *textPage) symbolCharacter(textIndex int, c rune) rune {
	if !symbols.IsSymbolCode(c) {
		return 0
	}
	index, err := p.charIndex(textIndex)
	if err != nil {
		return 0
	}
	font, err := p.file.instance.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: p.ref, Index: index})
	if err != nil {
		return 0
	}
	return symbols.Character(font.FontName, byte(c))
}

// nextNonSpace returns where the first character from a place on stands that is no
// space.
func nextNonSpace(text []rune, at int) int {
	for at < len(text) && unicode.IsSpace(text[at]) {
		at++
	}
	return at
}
