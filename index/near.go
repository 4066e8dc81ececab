package index

import (
	"context"
	"slices"

	"vademecum/index/ranking"
	"vademecum/index/search"
)

// chunkAt names a chunk.
type chunkAt struct {
	document *search.Document
	number   int
}

// nearDepth is how many candidates are compared for saying no more than another.
const nearDepth = 100

// original is a candidate that was not found to be part of a better one.
type original struct {
	search.Candidate
	said ranking.Said // nil while it was not needed
}

// originals gives candidates, the best first, and leaves one of those of which one says
// all that the other says: the longer, or of the same length the one of the document
// that has the shorter path, at the place of the best.
//
// What a candidate is part of stands before it, so nothing is compared but what is
// given with all that follows it: a question for five passages compares five with the
// others, not all hundred. Sketches tell which texts are worth reading.
type originals struct {
	of      *selection
	left    []original         // of those to compare, none of them part of one that was given
	rest    []search.Candidate // those behind, which are not compared
	ready   int                // how many of those left have been read with what may be near
	given   int                // how many were settled before
	settled []search.Candidate // the next, in their order
}

func newOriginals(s *selection, candidates []search.Candidate) *originals {
	depth := min(len(candidates), nearDepth)
	o := &originals{of: s, left: make([]original, depth), rest: candidates[depth:]}
	for i, c := range candidates[:depth] {
		o.left[i].Candidate = c
	}
	return o
}

// next gives the best candidate that is left; ok is false when none is.
func (o *originals) next(ctx context.Context) (c search.Candidate, ok bool, err error) {
	if len(o.settled) == 0 {
		if err := o.settle(ctx); err != nil || len(o.settled) == 0 {
			return c, false, err
		}
	}
	c, o.settled = o.settled[0], o.settled[1:]
	return c, true, nil
}

// settle takes all of those left that have the next score: one of them may have been
// put in the place of another. Where there are editions of one of them, it takes all
// that are left, as any of those may belong before it.
func (o *originals) settle(ctx context.Context) error {
	o.settled = o.settled[:0]
	isNext := func(c search.Candidate) bool {
		return len(o.settled) == 0 || c.Score == o.settled[0].Score && c.Related == o.settled[0].Related
	}
	if err := o.takeWhile(ctx, isNext); err != nil {
		return err
	}
	if o.given < ranking.OriginalsDepth && slices.ContainsFunc(o.settled, o.hasEdition) {
		if err := o.takeWhile(ctx, func(search.Candidate) bool { return true }); err != nil {
			return err
		}
	}
	if len(o.left) == 0 {
		o.settled, o.rest = append(o.settled, o.rest...), nil
	}
	search.Sort(o.settled)
	ranking.OriginalsFirst(o.settled, o.given)
	o.given += len(o.settled)
	return nil
}

// takeWhile settles those of the first left for which there is a reason.
func (o *originals) takeWhile(ctx context.Context, isMeant func(search.Candidate) bool) error {
	for len(o.left) > 0 && isMeant(o.left[0].Candidate) {
		first, err := o.takeFirst(ctx)
		if err != nil {
			return err
		}
		o.settled = append(o.settled, first)
	}
	return nil
}

// hasEdition tells whether there may be another edition of a candidate among those that
// are not given.
func (o *originals) hasEdition(c search.Candidate) bool {
	isEdition := func(other search.Candidate) bool { return ranking.AreEditions(&c, &other) }
	return slices.ContainsFunc(o.left, func(other original) bool { return isEdition(other.Candidate) }) ||
		slices.ContainsFunc(o.rest, isEdition) || slices.ContainsFunc(o.settled, isEdition)
}

// takeFirst takes the first of those left, and out what folds into it.
func (o *originals) takeFirst(ctx context.Context) (search.Candidate, error) {
	if o.ready == 0 {
		if err := o.readAhead(ctx); err != nil {
			return search.Candidate{}, err
		}
	}
	o.ready--
	first, others := o.left[0], o.left[1:]
	left := others[:0]
	for _, c := range others {
		if !first.mayBeNear(c) {
			left = append(left, c)
			continue
		}
		if err := o.of.read(ctx, &first, &c); err != nil {
			return search.Candidate{}, err
		}
		if !o.of.fold(&first, c) {
			left = append(left, c)
		}
	}
	o.left = left
	return first.Candidate, nil
}

// readAhead reads at once the texts of as many as are still wanted, and those of all
// that may be near to one of them.
func (o *originals) readAhead(ctx context.Context) error {
	o.ready = min(len(o.left), max(1, o.of.most-len(o.of.chosen)))
	wanted := make([]*search.Document, 0, len(o.left))
	for i, c := range o.left {
		if i < o.ready || slices.ContainsFunc(o.left[:o.ready], c.mayBeNear) {
			wanted = append(wanted, c.Document)
		}
	}
	return o.of.readTexts(ctx, wanted)
}

// mayBeNear tells whether one of two candidates may be folded into the other.
func (o original) mayBeNear(c original) bool {
	return o.Related == c.Related && o.Document != c.Document && o.Mark.Sketch.MayBeNear(c.Mark.Sketch)
}

// read takes candidates apart that were not yet. A document that was replaced says
// nothing.
func (s *selection) read(ctx context.Context, all ...*original) error {
	for _, o := range all {
		if o.said != nil {
			continue
		}
		text, err := s.textOf(ctx, o.Chunk)
		if err != nil {
			return err
		}
		o.said = append(ranking.Said{}, ranking.SaidBy(text)...)
	}
	return nil
}

// fold keeps in o one of two of which one holds the other, and remembers that one.
// A short one that is better than a long one that holds it stays beside it. What was
// made of a draft stands for it, though the draft may say a little more.
func (s *selection) fold(o *original, c original) bool {
	holds, isHeld := o.said.Holds(c.said), c.said.Holds(o.said)
	resembles := c.said.Resembles(o.said)
	isOther := false // which is to stay
	switch {
	case holds && isHeld:
		isOther = ranking.IsOriginal(c.Document, o.Document)
	case holds:
		isOther = resembles && ranking.IsFinal(c.Candidate, o.Candidate)
	default:
		isOther = !ranking.IsDraftOf(c.Document, o.Document)
	}
	switch {
	case !holds && !(isHeld && resembles):
		return false
	case isOther && ranking.IsMeant(o.Candidate, c.Candidate), !isOther && ranking.IsMeant(c.Candidate, o.Candidate):
		return false
	case isOther:
		c.SetScore(ranking.ByCopy, max(c.Score, o.Score))
		*o, c = c, *o
	}
	to, from := chunkAt{o.Document, o.Number}, chunkAt{c.Document, c.Number}
	s.near[to] = append(append(s.near[to], c.Chunk), s.near[from]...)
	delete(s.near, from)
	return true
}

// nearCopies lists where a text stands that is nearly that of a passage: the first
// places, and how many more there are.
func (s *selection) nearCopies(o *choice) (places []string, more int) {
	var all []search.Chunk
	for n := o.first; n <= o.last; n++ {
		all = append(all, s.near[chunkAt{o.Document, n}]...)
	}
	slices.SortFunc(all, search.ComparePlaces)
	for _, c := range all[:min(len(all), namedCopies)] {
		places = append(places, s.cite(c))
	}
	return places, max(0, len(all)-namedCopies)
}

// addCopies counts the copies of what was folded as folded too.
func (s *selection) addCopies(ctx context.Context) error {
	for at, near := range s.near {
		for _, c := range s.copies {
			isIts := func(n search.Chunk) bool { return n.Wording == c.Wording }
			isIt := func(n search.Chunk) bool { return isSame(c, n, n.Number, n.Number) }
			if !slices.ContainsFunc(near, isIts) || slices.ContainsFunc(s.near[at], isIt) {
				continue
			}
			if text, err := s.text(ctx, c.Document); err != nil {
				return err
			} else if text != "" {
				s.near[at] = append(s.near[at], c)
			}
		}
	}
	return nil
}
