package quote

import (
	"context"
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/struck"
	"vademecum/index/match"
)

// strikeRelation is how a place of a quotation compares with it as to what is struck out.
type strikeRelation int

const (
	sameStrikes  strikeRelation = iota
	hasStruck                   // words are struck out at the place, and not in the quotation
	lacksStrikes                // words are struck out in the quotation only
)

// compareStrikes compares what is struck out in p with what is struck out at a place of a text, which
// consists of as many characters. Tildes that strike nothing out in the text, because they are code, may
// look like marks in the quotation.
func (p quotedPart) compareStrikes(chars []foldedChar, text string, stretches []struck.Stretch) strikeRelation {
	if len(p.struck) == 0 && len(stretches) == 0 {
		return sameStrikes
	}
	isLacking := false
	for i, c := range chars {
		_, own := struck.At(p.struck, p.chars[i].start)
		_, other := struck.At(stretches, c.start)
		if other && !own {
			return hasStruck
		}
		isLacking = isLacking || own && !other
	}
	if isLacking && countMarks(p.text, rangeOf(p.chars)) > countMarks(text, rangeOf(chars)) {
		return lacksStrikes
	}
	return sameStrikes
}

// countMarks returns how many marks of struck-out text, or pairs of tildes that look like one, are in a range
// of a text and directly beside it.
func countMarks(text string, r match.Range) int {
	before, inner, after := text[:r.Start], text[r.Start:r.End], text[r.End:]
	n := strings.Count(inner, struck.Mark) + strings.Count(inner, markdown.LiteralTildes)
	if strings.HasSuffix(before, struck.Mark) || strings.HasSuffix(before, markdown.LiteralTildes) {
		n++
	}
	if strings.HasPrefix(after, struck.Mark) || strings.HasPrefix(after, markdown.LiteralTildes) {
		n++
	}
	return n
}

// ComparedText returns the text with which a quotation is compared, and the given places in it. It is the
// text without its struck-out words, unless the quotation has marks of struck-out text itself.
func (q Quotation) ComparedText(text string, places []match.Range) (compared string, comparedPlaces []match.Range) {
	stretches := struck.Find(text)
	if q.marksStruck || len(stretches) == 0 {
		return text, places
	}
	r := struck.WithoutStruck(text, stretches)
	for _, p := range places {
		comparedPlaces = append(comparedPlaces, match.Range(r.FromSource(struck.Range(p))))
	}
	return r.Text, comparedPlaces
}

// HasStruckMarks reports whether a quotation marks some of its words as struck out.
func (q Quotation) HasStruckMarks() bool { return q.marksStruck }

// scanReadings searches a text with the given struck-out stretches: first without its struck-out words, and
// then as a whole, for quotations of words that are struck out.
func (s *scanPass) scanReadings(ctx context.Context, text string, stretches []struck.Stretch) ([]Match, error) {
	if s.marksStruck || len(stretches) == 0 {
		return s.scan(ctx, text, stretches)
	}
	valid := struck.WithoutStruck(text, stretches)
	all, err := s.scan(ctx, valid.Text, nil)
	if err != nil {
		return nil, err
	}
	for i := range all {
		all[i].moveToSource(valid)
	}
	withStruck, err := s.scan(ctx, text, stretches)
	if err != nil {
		return nil, err
	}
	for _, m := range withStruck {
		if m.Exact != nil {
			continue // no word of it is struck out, so it is in the valid text, or a piece of a word there
		}
		for i := range m.Parts {
			if m.Parts[i].Exact.End > 0 { // as above
				m.Parts[i] = PartialMatch{}
			}
			m.Parts[i].ComparesStruckText = true
		}
		all = append(all, m)
	}
	return all, nil
}

// moveToSource converts the exact places of a match in a reading of a text to places in the text.
func (m *Match) moveToSource(from struck.ReducedText) {
	for i, r := range m.Exact {
		m.Exact[i] = match.Range(from.ToSource(struck.Range(r)))
	}
	for i := range m.Parts {
		if r := &m.Parts[i].Exact; r.End > 0 {
			*r = match.Range(from.ToSource(struck.Range(*r)))
		}
	}
}
