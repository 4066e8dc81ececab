package index

import (
	"context"
	"slices"

	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/rank"
)

// selected is what a search came to.
type selected struct {
	passages []Passage
	covered  float64 // see search
	missing  bool    // some documents were replaced meanwhile
}

// littleCovered is below what the best chunk has of the words of a question
// that is answered: 5 of 100 such questions on SciFact have less than .57, on
// code .72 and on Chinese articles .66; questions on something else have .16 to
// .42 in the middle.
const littleCovered = 0.5

// isLittle tells whether other wordings may find more. What a model finds by its
// meaning need not have the words of the question.
func (s selected) isLittle(builtin bool) bool {
	return len(s.passages) == 0 || builtin && s.covered < littleCovered
}

// isFromAny tells whether a passage is of one of some documents.
func (s selected) isFromAny(ix *Index, documents []location) bool {
	return slices.ContainsFunc(documents, func(at location) bool {
		return slices.ContainsFunc(s.passages, func(p Passage) bool { return p.Document.Path == ix.show(at) })
	})
}

// passages ranks and reads. A document that is replaced in between is looked
// for again.
func (ix *Index) passages(ctx context.Context, phrasings []phrasing, meant map[location]bool, q Query) (selected, error) {
	for try := 1; ; try++ {
		candidates, covered, err := ix.store.search(ctx, phrasings, meant, q.TopK)
		if err != nil {
			return selected{}, err
		}
		s := selection{ix: ix, meant: meant, most: q.TopK, perDocument: (q.TopK + 1) / 2, bodies: make(map[*document]text.Body)}
		if candidates, err = s.phrasesFirst(ctx, candidates, lexical.Quoted(q.Text)); err != nil {
			return selected{}, err
		}
		if err := s.choose(ctx, candidates); err != nil {
			return selected{}, err
		}
		if s.missing == 0 || try == 3 {
			return selected{s.passages(), covered, s.missing > 0}, nil
		}
		for i := range ix.folders {
			if _, err := ix.store.follow(ctx, i); err != nil {
				return selected{}, err
			}
		}
	}
}

// selection turns ranked chunks, of which none are copies, into passages worth
// reading: neighbours are joined, and one document does not take every place
// while others have something to say.
type selection struct {
	ix          *Index
	meant       map[location]bool // documents that may answer, nil for all
	most        int               // passages wanted
	perDocument int
	chosen      []*choice
	bodies      map[*document]text.Body // without text when it was replaced
	missing     int                     // documents that were replaced
}

// choice is a chunk that was chosen, with the neighbours joined to it.
type choice struct {
	candidate
	first, last int // numbers of the chunks
	text        string
	wordings    []rank.Wording // of each chunk
	copies      []string       // places of the first of them
	moreCopies  int
}

// namedCopies is how many copies of a passage are told by their places.
const namedCopies = 5

func (s *selection) choose(ctx context.Context, candidates []candidate) error {
	var over []candidate // of documents that have their places
	taken := make(map[*document]int)
	for _, c := range candidates {
		if len(s.chosen) == s.most {
			break
		}
		if taken[c.document] >= s.perDocument && !s.isNeighbour(c) {
			over = append(over, c)
			continue
		}
		before := len(s.chosen)
		if err := s.take(ctx, c); err != nil {
			return err
		}
		taken[c.document] += max(0, len(s.chosen)-before)
	}
	for _, c := range over {
		if len(s.chosen) == s.most {
			break
		}
		if err := s.take(ctx, c); err != nil {
			return err
		}
	}
	if err := s.noteCopies(ctx); err != nil {
		return err
	}
	slices.SortStableFunc(s.chosen, func(a, b *choice) int { return compareCandidates(a.candidate, b.candidate) })
	return nil
}

// noteCopies tells where else the texts of what was chosen stand.
func (s *selection) noteCopies(ctx context.Context) error {
	of := make(map[rank.Wording]bool)
	for _, o := range s.chosen {
		for _, w := range o.wordings {
			of[w] = true
		}
	}
	if len(of) == 0 {
		return nil
	}
	copies := s.ix.store.copies(of, s.meant)
	for _, o := range s.chosen {
		places := o.elsewhere(copies)
		for _, c := range places[:min(len(places), namedCopies)] {
			text, err := s.text(ctx, c.document)
			if err != nil {
				return err
			}
			if text != "" {
				o.copies = append(o.copies, s.cite(c))
			}
		}
		o.moreCopies = max(0, len(places)-namedCopies)
	}
	return nil
}

// elsewhere lists the chunks that are copies of one that is part of what was
// chosen. Those that follow each other are one place.
func (o *choice) elsewhere(copies []chunk) []chunk {
	var places []chunk
	last := -1 // number of the last chunk of the last place
	for _, c := range copies {
		isShown := c.document == o.document && o.first <= c.number && c.number <= o.last
		if isShown || !slices.Contains(o.wordings, c.wording) {
			continue
		}
		if n := len(places) - 1; n >= 0 && places[n].document == c.document && last+1 == c.number {
			places[n].span.EndByte, places[n].span.EndLine = c.span.EndByte, c.span.EndLine
		} else {
			places = append(places, c)
		}
		last = c.number
	}
	return places
}

// take joins a chunk to a neighbour, or gives it a place.
func (s *selection) take(ctx context.Context, c candidate) error {
	text, err := s.text(ctx, c.document)
	if err != nil || text == "" {
		return err
	}
	one := &choice{candidate: c, first: c.number, last: c.number, text: text[c.span.StartByte:c.span.EndByte], wordings: []rank.Wording{c.wording}}
	if to := s.neighbour(one); to != nil {
		to.join(one, text)
		s.closeGap(to, text)
		return nil
	}
	s.chosen = append(s.chosen, one)
	return nil
}

func (s *selection) cite(c chunk) string {
	return s.ix.show(location{c.document.folder, c.document.Path}) + ", " + s.bodies[c.document].Place(c.span)
}

// Neighbours are joined when the lesser has at least this share of the
// other's score, and both together are not too long to read.
const (
	neighbourShare = 0.7
	longestJoined  = 2400 // bytes
)

// neighbour finds the chosen passage that another continues.
func (s *selection) neighbour(c *choice) *choice {
	for _, o := range s.chosen {
		if o == c || o.document != c.document || o.related != c.related || c.first != o.last+1 && c.last != o.first-1 {
			continue
		}
		length := max(o.span.EndByte, c.span.EndByte) - min(o.span.StartByte, c.span.StartByte)
		if min(c.score, o.score) >= neighbourShare*max(c.score, o.score) && length <= longestJoined {
			return o
		}
	}
	return nil
}

func (s *selection) isNeighbour(c candidate) bool {
	return s.neighbour(&choice{candidate: c, first: c.number, last: c.number}) != nil
}

// closeGap joins two passages that a chunk between them has made neighbours.
func (s *selection) closeGap(o *choice, text string) {
	other := s.neighbour(o)
	if other == nil {
		return
	}
	if other.score > o.score {
		o, other = other, o
	}
	o.join(other, text)
	s.chosen = slices.DeleteFunc(s.chosen, func(c *choice) bool { return c == other })
}

func (o *choice) join(c *choice, text string) {
	if c.first > o.last {
		o.last, o.span.EndByte, o.span.EndLine = c.last, c.span.EndByte, c.span.EndLine
	} else {
		o.first, o.span.StartByte, o.span.StartLine = c.first, c.span.StartByte, c.span.StartLine
	}
	o.text = text[o.span.StartByte:o.span.EndByte]
	o.wordings = append(o.wordings, c.wordings...)
	o.heading = commonStart(o.heading, c.heading)
	o.lexicalRank, o.vectorRank = betterRank(o.lexicalRank, c.lexicalRank), betterRank(o.vectorRank, c.vectorRank)
}

func commonStart(a, b []string) []string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}

// text reads the text of a document once; it is "" when the document was
// replaced.
func (s *selection) text(ctx context.Context, d *document) (string, error) {
	body, ok := s.bodies[d]
	if ok {
		return body.Text, nil
	}
	body, ok, err := s.ix.store.body(ctx, d)
	if err != nil {
		return "", err
	}
	if !ok {
		s.missing++
	}
	s.bodies[d] = body
	return body.Text, nil
}

// phraseDepth is how many chunks are searched for a quoted phrase.
const phraseDepth = 100

// phrasesFirst moves the chunks that hold every quoted phrase, in the order of
// their ranks, before the others. Their scores gain 1, and all are halved.
func (s *selection) phrasesFirst(ctx context.Context, candidates []candidate, phrases lexical.Phrases) ([]candidate, error) {
	if len(phrases) == 0 {
		return candidates, nil
	}
	holding := 0
	for i := range candidates[:min(len(candidates), phraseDepth)] {
		c := &candidates[i]
		text, err := s.text(ctx, c.document)
		if err != nil {
			return nil, err
		}
		if text != "" && phrases.AllIn(text[c.span.StartByte:c.span.EndByte]) {
			c.score++
			holding++
		}
	}
	if holding > 0 {
		for i := range candidates {
			candidates[i].score /= 2
		}
		sortCandidates(candidates)
	}
	return candidates, nil
}

func (s *selection) passages() []Passage {
	out := make([]Passage, 0, len(s.chosen))
	best := 1.0 // where the words find nothing, nothing is good
	if len(s.chosen) > 0 && !s.chosen[0].related {
		best = s.chosen[0].score
	}
	for _, c := range s.chosen {
		d, body := s.ix.describe(c.document), s.bodies[c.document]
		heading := c.heading
		if len(heading) == 0 {
			heading = []string{d.Title}
		}
		out = append(out, Passage{
			Document: d, Span: c.span, URI: d.URI + "#" + body.Fragment(c.span),
			Text: c.text, Place: body.Place(c.span), Heading: heading, Score: share(c.score, best),
			LexicalRank: c.lexicalRank, VectorRank: c.vectorRank, Related: c.related, Copies: c.copies, MoreCopies: c.moreCopies,
		})
	}
	return out
}
