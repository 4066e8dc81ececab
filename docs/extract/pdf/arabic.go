package pdf

import "strings"

const (
	lam   = 'ل'
	alefs = "اأإآ"
)

// turnLamAlef restores the order of the two letters of a lam-alef ligature: PDFium reverses
// right-to-left text character by character, even within a ligature.
func (p *textPage) turnLamAlef(glyphs []glyph) []glyph {
	if !strings.ContainsRune(p.text, lam) {
		return glyphs
	}
	const most = 20 // maximum number of positions examined on a page without ligatures
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
