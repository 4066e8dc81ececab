package index

import (
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/struck"
	"vademecum/index/match"
	"vademecum/internal/base/lazyregexp"
)

// struckContext returns the text of a document around a place, in one line and with marks around the words
// that are struck out (marked), and the same text without these words (valid). Both are "" if no word of
// the place is struck out; valid is also "" if nothing is left.
func struckContext(text string, place match.Range) (marked, valid string) {
	stretches := struck.Find(text)
	first, last := place, struck.Range(lineAround(text, place))
	isStruck := false
	for _, s := range stretches {
		if inner := s.Inner(); inner.Start < place.End && place.Start < inner.End {
			isStruck = true
			first.Start, first.End = min(first.Start, s.Start), max(first.End, s.End)
			last.Start, last.End = min(last.Start, s.Block.Start), max(last.End, s.Block.End)
		}
	}
	if !isStruck {
		return "", ""
	}
	from, cutBefore := stepBack(text, last.Start, place.Start, shownBefore)
	to, cutAfter := stepForward(text, min(place.End, place.Start+longestPlace), last.End, shownAfter)
	marked = withEllipses(markdown.OneLine(struck.Excerpt(text, stretches, from, to)), cutBefore, cutAfter)

	from, cutBefore = stepBack(text, last.Start, first.Start, shownBefore)
	to, cutAfter = stepForward(text, first.End, last.End, shownAfter)
	r := struck.WithoutStruck(text, stretches)
	kept := r.FromSource(struck.Range{Start: from, End: to})
	if valid = withoutLitter(markdown.OneLine(r.Text[kept.Start:kept.End])); emptyItem.MatchString(valid) {
		return marked, ""
	}
	return marked, withEllipses(valid, cutBefore, cutAfter)
}

var (
	// emptyEmphasis matches marks of emphasis without text between them.
	emptyEmphasis = lazyregexp.New(`(^|\s)(?:\*{4}|\*{6}|_{4}|_{6})(?:\s+|$)`)
	// quoteMarks matches the marks of quotations at the beginning of a text.
	quoteMarks = lazyregexp.New(`^(?:>\s*)+`)
)

// withoutLitter returns a line without the marks that are of no use where the text between them was struck out.
func withoutLitter(line string) string {
	line = quoteMarks.ReplaceAllString(line, "")
	line = emptyEmphasis.ReplaceAllString(line, "$1")
	for range 2 { // neighbouring cells have a bar in common
		line = strings.ReplaceAll(line, "| |", "| – |") // a cell less would move the others to other columns
	}
	return line
}

// emptyItem matches what is left of a text, such as a list item, of which all is struck out.
var emptyItem = lazyregexp.New(`^(?:\d+[.)])?[^\pL\pN]*$`)

// lineAround returns the whole lines that contain a place.
func lineAround(text string, place match.Range) match.Range {
	start := strings.LastIndexByte(text[:place.Start], '\n') + 1
	if n := strings.IndexByte(text[place.End:], '\n'); n >= 0 {
		return match.Range{Start: start, End: place.End + n}
	}
	return match.Range{Start: start, End: len(text)}
}

// withEllipses returns a text with an ellipsis at each end where more was cut off.
func withEllipses(text string, before, after bool) string {
	if before {
		text = "… " + text
	}
	if after {
		text += " …"
	}
	return text
}
