package pdf

import (
	"slices"
	"unicode"
)

const (
	softHyphen = '\u00AD'
	hyphen     = '\u2010' // Unicode hyphen, with which browsers divide words
)

// markHyphens inserts a soft hyphen where a word is divided between two lines. A hyphen that
// belongs to the word is kept before it: "IL-6", "non-Hodgkin".
func (p *textPage) markHyphens(glyphs []glyph) []glyph {
	var out []glyph // the changed characters; nil until the first change
	for i, g := range glyphs {
		written := g.char
		switch {
		case g.char == noCharacter && p.isHyphen(g.at):
			written = '-'
		case g.char == hyphen && charAt(glyphs, i+1) == '\n' && isWordCharacter(charAt(glyphs, i-1)) && isWordCharacter(charAt(glyphs, i+2)):
		default:
			if out != nil {
				out = append(out, g)
			}
			continue
		}
		if out == nil {
			out = append(make([]glyph, 0, cap(glyphs)+len(glyphs)/16), glyphs[:i]...)
		}
		if belongsToWord(glyphs[:i], glyphs[i+1:]) {
			out = append(out, glyph{written, g.at})
		}
		out = append(out, glyph{softHyphen, g.at})
		if g.char != hyphen {
			out = append(out, glyph{'\n', g.at})
		}
	}
	if out == nil {
		return glyphs
	}
	return out
}

func isWordCharacter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// belongsToWord reports whether a hyphen at the end of a line would be there without the line
// break, given the characters before and after it: it precedes a digit or a capital letter, and
// follows a single letter, capital letters or digits.
func belongsToWord(before, after []glyph) bool {
	next := slices.IndexFunc(after, func(g glyph) bool { return !unicode.IsSpace(g.char) })
	if next < 0 || !unicode.IsLower(after[next].char) {
		return next >= 0 && isWordCharacter(after[next].char)
	}
	letters, small := 0, 0
	for i := len(before) - 1; i >= 0 && isWordCharacter(before[i].char); i-- {
		letters++
		if !unicode.IsUpper(before[i].char) && unicode.IsLetter(before[i].char) {
			small++
		}
	}
	return letters == 1 || small == 0
}
