package ranking

import (
	"context"
	"slices"
	"unicode/utf8"

	"vademecum/docs/text"
	"vademecum/index/search"
)

// Passage is a chosen candidate, together with the neighbouring chunks of its document joined to it.
type Passage struct {
	search.Candidate
	Text           string
	Copies         []search.Chunk     // other places of the same text
	SimilarChunks  []search.Chunk     // chunks with similar text that add nothing to the passage
	SameLineChunks []search.Chunk     // places of passages reduced to the same line
	Versions       []*search.Document // documents with other versions of the text, which this one represents
	OmittedSpans   []text.Span        // spans of further matching text of the document that is not shown
	// line, item or row that matches most of the question; "" if the text is short
	BestLine string

	first, last int // numbers of the first and last chunk
	// headings above the first chunk, except the last one, which its text may include
	above  []string
	chunks []search.Chunk // in no order
}

// newPassage returns a passage of a single chunk.
func newPassage(c *search.Candidate) *Passage {
	return &Passage{Candidate: *c, first: c.Number, last: c.Number, above: c.Heading[:max(0, len(c.Heading)-1)]}
}

// adjoiningPassage returns the chosen passage that a candidate adjoins and can be joined to, as their
// scores are similar and the joined passage is not too long; nil if there is none.
func (r *Ranking) adjoiningPassage(c *Passage) *Passage {
	if r.SingleLines { // a single line of each passage is shown
		return nil
	}
	for _, o := range r.chosen {
		if o == c || o.Document != c.Document || o.IsRelatedOnly != c.IsRelatedOnly || c.first != o.last+1 && c.last != o.first-1 {
			continue
		}
		if c.first > o.last && c.Span.EndByte < o.Span.StartByte || c.first < o.first && c.Span.StartByte > o.Span.EndByte {
			continue // their positions are not in order: see search.NewChunkOutsideTextError
		}
		if !o.keepsHeadings(c) {
			continue
		}
		length := max(o.Span.EndByte, c.Span.EndByte) - min(o.Span.StartByte, c.Span.StartByte)
		if min(c.Score, o.Score) >= neighbourShare*max(c.Score, o.Score) && length <= longestJoined {
			return o
		}
	}
	return nil
}

// keepsHeadings reports whether the headings above the first of two passages apply to both:
// otherwise a section below another heading would seem to belong to the first.
func (o *Passage) keepsHeadings(c *Passage) bool {
	above := o.above
	if c.first < o.first {
		above = c.above
	}
	return len(commonStart(o.Heading, c.Heading)) >= len(above)
}

// closeGap joins o with another chosen passage, if a chunk that was joined to o has made them adjacent.
func (r *Ranking) closeGap(o *Passage, text string) {
	other := r.adjoiningPassage(o)
	if other == nil {
		return
	}
	if other.Score > o.Score {
		o, other = other, o
	}
	o.joinPassage(other, text)
	r.chosen = slices.DeleteFunc(r.chosen, func(c *Passage) bool { return c == other })
}

func (o *Passage) joinPassage(c *Passage, text string) {
	if c.first > o.last {
		o.last, o.Span.EndByte, o.Span.EndLine = c.last, c.Span.EndByte, c.Span.EndLine
	} else {
		o.first, o.above, o.Span.StartByte, o.Span.StartLine = c.first, c.above, c.Span.StartByte, c.Span.StartLine
	}
	o.Text = text[o.Span.StartByte:o.Span.EndByte]
	o.chunks = append(o.chunks, c.chunks...)
	o.Heading = commonStart(o.Heading, c.Heading)
	o.LexicalRank, o.VectorRank = betterRank(o.LexicalRank, c.LexicalRank), betterRank(o.VectorRank, c.VectorRank)
}

func commonStart(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// bridgeGaps joins passages of a document that have little text between them.
func bridgeGaps(_ context.Context, r *Ranking) error {
	if r.SingleLines {
		return nil
	}
	for i := 0; i < len(r.chosen); i++ {
		for j := i + 1; j < len(r.chosen); j++ {
			if o, c := r.chosen[i], r.chosen[j]; r.isGapSmall(o, c) {
				o.joinAcross(c, r.bodies[o.Document].Text)
				r.chosen = slices.Delete(r.chosen, j, j+1)
				j = i // the joined passage may now reach another
			}
		}
	}
	return nil
}

// isGapSmall reports whether two passages can be joined: they are in one document under the same
// headings, are both related only or neither is, and between them is little text and no other
// candidate.
func (r *Ranking) isGapSmall(o, c *Passage) bool {
	if o.Document != c.Document || o.IsRelatedOnly != c.IsRelatedOnly {
		return false
	}
	first, second := o, c
	if c.Span.StartByte < o.Span.StartByte {
		first, second = c, o
	}
	between := second.Span.StartByte - first.Span.EndByte
	if between < 0 || between > utf8.UTFMax*widestGap {
		return false
	}
	gap := text.Span{StartByte: first.Span.EndByte, EndByte: second.Span.StartByte}
	return utf8.RuneCountInString(r.bodies[o.Document].Text[gap.StartByte:gap.EndByte]) <= widestGap &&
		slices.Equal(first.Heading, second.Heading) && !r.hasCandidateIn(o.Document, gap)
}

// hasCandidateIn reports whether one of the candidates is in the given part of a document. Such a candidate
// may be shown as a passage of its own.
func (r *Ranking) hasCandidateIn(d *search.Document, part text.Span) bool {
	return slices.ContainsFunc(r.candidates, func(c search.Candidate) bool {
		return c.Document == d && part.StartByte <= c.Span.StartByte && c.Span.EndByte <= part.EndByte
	})
}

// joinAcross joins a later passage of the same document to o, including the text between them.
func (o *Passage) joinAcross(c *Passage, document string) {
	start, end := min(o.Span.StartByte, c.Span.StartByte), max(o.Span.EndByte, c.Span.EndByte)
	o.Span = text.SpanOf(document, start, end)
	o.Text = document[start:end]
	o.chunks = append(o.chunks, c.chunks...)
	o.first, o.last = min(o.first, c.first), max(o.last, c.last)
	o.LexicalRank, o.VectorRank = betterRank(o.LexicalRank, c.LexicalRank), betterRank(o.VectorRank, c.VectorRank)
	for _, rest := range c.OmittedSpans {
		o.addRest(rest)
	}
	o.OmittedSpans = slices.DeleteFunc(o.OmittedSpans, func(rest text.Span) bool { return start <= rest.StartByte && rest.EndByte <= end })
}
