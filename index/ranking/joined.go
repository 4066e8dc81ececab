package ranking

import (
	"slices"

	"vademecum/docs/text"
	"vademecum/index/search"
)

// Passage is a candidate that was chosen, with the neighbours joined to it.
type Passage struct {
	search.Candidate
	Text     string
	Copies   []search.Chunk     // where the same text stands too
	Near     []search.Chunk     // where a text stands that says no more
	Versions []*search.Document // that the document stands for
	Rest     []text.Span        // chunks that answer too and are not shown

	first, last int            // numbers of the chunks
	above       []string       // the headings over the first, but for the last of them, which its text may show
	chunks      []search.Chunk // in no order
}

// newPassage is a passage of one chunk.
func newPassage(c *search.Candidate) *Passage {
	return &Passage{Candidate: *c, first: c.Number, last: c.Number, above: c.Heading[:max(0, len(c.Heading)-1)]}
}

// neighbour finds the chosen passage that another continues.
func (r *Ranking) neighbour(c *Passage) *Passage {
	for _, o := range r.chosen {
		if o == c || o.Document != c.Document || o.Related != c.Related || c.first != o.last+1 && c.last != o.first-1 {
			continue
		}
		if c.first > o.last && c.Span.EndByte < o.Span.StartByte || c.first < o.first && c.Span.StartByte > o.Span.EndByte {
			continue // they are not in their places: see search.Misfit
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

// keepsHeadings tells whether two passages share what stands over the first of them: a
// section that follows one below another heading would seem to belong there.
func (o *Passage) keepsHeadings(c *Passage) bool {
	above := o.above
	if c.first < o.first {
		above = c.above
	}
	return len(commonStart(o.Heading, c.Heading)) >= len(above)
}

// closeGap joins two passages that a chunk between them has made neighbours.
func (r *Ranking) closeGap(o *Passage, text string) {
	other := r.neighbour(o)
	if other == nil {
		return
	}
	if other.Score > o.Score {
		o, other = other, o
	}
	o.join(other, text)
	r.chosen = slices.DeleteFunc(r.chosen, func(c *Passage) bool { return c == other })
}

func (o *Passage) join(c *Passage, text string) {
	if c.first > o.last {
		o.last, o.Span.EndByte, o.Span.EndLine = c.last, c.Span.EndByte, c.Span.EndLine
	} else {
		o.first, o.above, o.Span.StartByte, o.Span.StartLine = c.first, c.above, c.Span.StartByte, c.Span.StartLine
	}
	o.Text = text[o.Span.StartByte:o.Span.EndByte]
	o.chunks = append(o.chunks, c.chunks...)
	o.Heading = commonStart(o.Heading, c.Heading)
	o.LexicalRank, o.VectorRank = BetterRank(o.LexicalRank, c.LexicalRank), BetterRank(o.VectorRank, c.VectorRank)
}

func commonStart(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
