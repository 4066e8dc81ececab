package pdf

import "strings"

const (
	lam   = 'ل'
	alefs = "اأإآ"
)

// turnLamAlef puts the two letters of a ligature of lam and alef in their order: PDFium turns the
// characters of a line from right to left one by one, those of a ligature, too.
func (p *textPage) turnLamAlef(glyphs []glyph) []glyph {
	if !strings.ContainsRune(p.text, lam) {
		return glyphs
	}
	const most = 20 // that are looked at on a page without ligatures
	found := false
	looked := 0
	for i := 0; i+1 < len(glyphs) && (found || looked < most); i++ {
		if glyphs[i+1].char != lam || !strings.ContainsRune(alefs, glyphs[i].char) {
			continue
		}
		looked++
		if alef := p.charBox(glyphs[i].at); alef == p.charBox(glyphs[i+1].at) {
			glyphs[i].char, glyphs[i+1].char = glyphs[i+1].char, glyphs[i].char
			found = true
		}
	}
	return glyphs
}
