package struck

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ReducedText is a text from which parts were removed. It can convert ranges of the original text, its
// source, to ranges of this text and back.
type ReducedText struct {
	Text string
	cuts []cut
}

// cut is a place in a reduced text where a part of its source is missing.
type cut struct {
	at      int // offset in the reduced text
	removed int // total number of bytes removed up to there
}

// WithoutStruck returns a text without its struck-out stretches, and without the spaces that would be
// left over: one of two, and one before a punctuation mark.
func WithoutStruck(text string, stretches []Stretch) ReducedText {
	parts := make([]Range, len(stretches))
	last := 0
	for i, s := range stretches {
		parts[i] = withSpace(text, s.Range, last)
		last = parts[i].End
	}
	return remove(text, parts)
}

// withSpace extends a part of a text that is to be removed by the space that would be left over. It
// does not extend the part to before settledUpTo, the end of the previous part.
func withSpace(text string, r Range, settledUpTo int) Range {
	if r.Start > settledUpTo && text[r.Start-1] == ' ' && r.End < len(text) && strings.IndexByte(".,;:!?)", text[r.End]) >= 0 {
		r.Start--
		return r
	}
	before, _ := utf8.DecodeLastRuneInString(text[:r.Start])
	if r.End < len(text) && text[r.End] == ' ' && (r.Start == 0 || unicode.IsSpace(before)) {
		r.End++
	}
	return r
}

// WithoutMarks returns a text without the marks around its struck-out stretches, which stay in it.
func WithoutMarks(text string, stretches []Stretch) ReducedText {
	var parts []Range
	for _, s := range stretches {
		inner := s.Inner()
		parts = append(parts, Range{s.Start, inner.Start}, Range{inner.End, s.End})
	}
	return remove(text, parts)
}

// remove returns a text without the given parts, which are in order.
func remove(text string, parts []Range) ReducedText {
	var kept strings.Builder
	var r ReducedText
	at, removed := 0, 0
	for _, p := range parts {
		kept.WriteString(text[at:p.Start])
		at = p.End
		removed += p.End - p.Start
		r.cuts = append(r.cuts, cut{kept.Len(), removed})
	}
	kept.WriteString(text[at:])
	r.Text = kept.String()
	return r
}

// ToSource converts part, a range of the reduced text that is not empty, to the range of the source
// that it comes from.
func (r ReducedText) ToSource(part Range) Range {
	return Range{part.Start + r.removedBefore(part.Start+1), part.End + r.removedBefore(part.End)}
}

// removedBefore returns how many bytes were removed before an offset in the reduced text, not counting
// those removed at the offset.
func (r ReducedText) removedBefore(offset int) int {
	i, _ := slices.BinarySearchFunc(r.cuts, offset, func(c cut, at int) int { return cmp.Compare(c.at, at) })
	if i == 0 {
		return 0
	}
	return r.cuts[i-1].removed
}

// FromSource converts part, a range of the source, to a range of the reduced text. The result is empty
// if the whole range was removed.
func (r ReducedText) FromSource(part Range) Range {
	return Range{r.offsetOf(part.Start), r.offsetOf(part.End)}
}

// offsetOf converts an offset in the source to one in the reduced text: an offset in removed text to
// that of the text after it.
func (r ReducedText) offsetOf(source int) int {
	before := 0 // bytes removed by the previous cuts
	for _, c := range r.cuts {
		if source <= c.at+before {
			break
		}
		if source < c.at+c.removed {
			return c.at
		}
		before = c.removed
	}
	return source - before
}
