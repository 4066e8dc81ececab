package pdf

import (
	"slices"
	"strings"
	"unicode"

	"vademecum/internal/base/script"
)

// wordGap is the minimum gap between words, in em. PDFium inserts spaces only at larger ones.
const wordGap = 0.1

// insertSpaces inserts spaces between words whose gap is too small for PDFium. If it finds words
// that seem to be joined although there is a gap, it measures all lines of the page.
func (p *textPage) insertSpaces(glyphs []glyph) []glyph {
	most := 5 + len(glyphs)/500 // maximum number of positions measured, with three calls of the engine each
	for i := range glyphs {
		if !looksGlued(glyphs, i) {
			continue
		}
		// The engine does not know the character widths of a Type 3 font, which has no name.
		if em := p.charSize(glyphs[i].at); em > 0 && p.gapBefore(glyphs, i) >= wordGap*em && p.fontName(glyphs[i].at) != "" {
			return p.eachLine(glyphs, p.separateWords)
		}
		if most--; most < 0 {
			break
		}
	}
	return glyphs
}

// looksGlued reports whether a new word may begin at index i, at a capital letter inside a word.
func looksGlued(glyphs []glyph, i int) bool {
	return unicode.IsUpper(glyphs[i].char) && unicode.IsLower(charAt(glyphs, i-1)) && unicode.IsLower(charAt(glyphs, i+1))
}

// gapBefore returns the distance in points of the character at index i from the previous one.
func (p *textPage) gapBefore(glyphs []glyph, i int) float64 {
	return p.charBox(glyphs[i].at).left - p.charBox(glyphs[i-1].at).right
}

// eachLine returns the characters of the page after applying change to those of each line.
func (p *textPage) eachLine(glyphs []glyph, change func([]glyph) []glyph) []glyph {
	var out []glyph
	for len(glyphs) > 0 {
		end := slices.IndexFunc(glyphs, isLineFeed)
		if end < 0 {
			return append(out, change(glyphs)...)
		}
		out = append(append(out, change(glyphs[:end])...), glyphs[end])
		glyphs = glyphs[end+1:]
	}
	return out
}

// separateWords inserts spaces into a line at gaps wider than most gaps of the line.
func (p *textPage) separateWords(line []glyph) []glyph {
	line = trimSpace(line)
	if len(line) == 0 {
		return line
	}
	em := max(p.charSize(line[0].at), p.charSize(line[len(line)/2].at), p.charSize(line[len(line)-1].at))
	gaps := p.gaps(line)
	least := wordGap*em + median(gaps)
	if em == 0 {
		return line
	}
	var out []glyph
	for i, g := range line {
		if i > 0 && gaps[i] >= least && startsWord(line[i-1].char, g.char) {
			out = append(out, glyph{' ', g.at})
		}
		out = append(out, g)
	}
	return out
}

// startsWord reports whether a space may be missing between the characters before and after.
func startsWord(before, after rune) bool {
	return (isWordCharacter(before) || strings.ContainsRune(",.;:)", before)) && isWordCharacter(after) && !script.IsEastAsian(before) && !script.IsEastAsian(after)
}

// gaps returns the distance in points of each character of a line from the previous one; 0 at a
// space.
func (p *textPage) gaps(line []glyph) []float64 {
	gaps := make([]float64, len(line))
	last := unknownBox
	for i, g := range line {
		if g.char == ' ' {
			last = unknownBox
			continue
		}
		b := p.charBox(g.at)
		if gap := b.left - last.right; gap > 0 {
			gaps[i] = gap
		}
		last = b
	}
	return gaps
}

func median(of []float64) float64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// leastSpaced is the minimum number of letters in a line that is letter-spaced, with a gap after
// every letter.
const leastSpaced = 5

// closeLetterSpaces removes the spaces that the engine inserted into letter-spaced lines, such as
// headings.
func (p *textPage) closeLetterSpaces(glyphs []glyph) []glyph {
	for i := 0; i < len(glyphs); i++ {
		if end := spacedEnd(glyphs, i); end > i {
			closed := p.closeWord(glyphs[i:end])
			glyphs = slices.Replace(glyphs, i, end, closed...)
			i += len(closed)
		}
	}
	return glyphs
}

// spacedEnd returns the end of the line that begins at start if it consists of single letters, as in
// "S P A C E D", and start otherwise.
func spacedEnd(glyphs []glyph, start int) int {
	if charAt(glyphs, start-1) != '\n' {
		return start
	}
	n, end := 0, start
	for i := start; isAlone(glyphs, i); i += 2 {
		n, end = n+1, i+1
	}
	if n < leastSpaced || charAt(glyphs, end) != '\n' {
		return start
	}
	return end
}

// isAlone reports whether the character at index i is a letter, other than an East Asian one, that is
// followed by a space or a line end.
func isAlone(glyphs []glyph, i int) bool {
	c, next := charAt(glyphs, i), charAt(glyphs, i+1)
	return unicode.IsLetter(c) && !script.IsEastAsian(c) && (next == ' ' || next == '\n')
}

// closeWord removes the spaces between single letters, except those that separate words: gaps that
// are much wider than most, and line ends that the engine has missed.
func (p *textPage) closeWord(spaced []glyph) []glyph {
	var gaps []float64
	for i := 2; i < len(spaced); i += 2 {
		if !p.isGenerated(spaced[i-1].at) {
			return spaced
		}
		gaps = append(gaps, p.charBox(spaced[i].at).left-p.charBox(spaced[i-2].at).right)
	}
	usual := median(gaps)
	if !(usual < p.charBox(spaced[0].at).height()) {
		return spaced
	}
	out := []glyph{spaced[0]}
	for i, gap := range gaps {
		if gap > 1.5*usual || gap < 0 { // the gap is negative if the next letter is on the next line
			out = append(out, spaced[2*i+1])
		}
		out = append(out, spaced[2*i+2])
	}
	return out
}

// dropShadows removes the second of each two characters in words that are drawn twice, letter by
// letter, for a visual effect.
func (p *textPage) dropShadows(glyphs []glyph) []glyph {
	for i := 0; i < len(glyphs); i++ {
		end := doubledEnd(glyphs, i)
		if end-i < 2*leastDoubled {
			continue
		}
		start, stop := lineAround(glyphs, i)
		line := p.withoutShadow(slices.Clone(glyphs[start:stop]))
		glyphs = slices.Replace(glyphs, start, stop, line...)
		i = start + len(line)
	}
	return glyphs
}

const leastDoubled = 3 // minimum number of consecutive letters that are each drawn twice

// doubledEnd returns the end of the run from index i in which every letter occurs twice.
func doubledEnd(glyphs []glyph, i int) int {
	for unicode.IsLetter(charAt(glyphs, i)) && charAt(glyphs, i) == charAt(glyphs, i+1) {
		i += 2
	}
	return i
}

// lineAround returns the start and the end of the line that contains the character at index i.
func lineAround(glyphs []glyph, i int) (start, end int) {
	for start = i; charAt(glyphs, start-1) != '\n'; start-- {
	}
	for end = i; charAt(glyphs, end) != '\n'; end++ {
	}
	return start, end
}

// withoutShadow removes characters of a line that repeat the previous character at the same
// position.
func (p *textPage) withoutShadow(line []glyph) []glyph {
	kept := line[:0]
	for _, g := range line {
		if n := len(kept); n > 0 && kept[n-1].char == g.char && g.char != ' ' {
			if b, shadow := p.charBox(kept[n-1].at), p.charBox(g.at); shadow.left-b.left < (b.right-b.left)/2 {
				continue
			}
		}
		kept = append(kept, g)
	}
	return kept
}
