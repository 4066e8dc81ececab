package ranking

import (
	"context"
	"slices"

	"vademecum/index/search"
)

// chunkAt names a chunk.
type chunkAt struct {
	document *search.Document
	number   int
}

// comparedCandidate is a candidate that was not found to be part of a better one.
type comparedCandidate struct {
	*search.Candidate
	said ComparableText // nil while it was not needed
}

// nearDuplicateFilter gives the candidates of a ranking, the best first, and leaves one of those of
// which one says all that the other says: the longer, or of the same length the one of
// the document that has the shorter path, at the place of the best.
//
// What a candidate is part of stands before it, so nothing is compared but what is
// given with all that follows it: a question for five passages compares five with the
// others, not all hundred. Sketches report which texts are worth reading.
type nearDuplicateFilter struct {
	of      *Ranking
	all     []comparedCandidate
	left    []comparedCandidate // of those to compare, none of them part of one that was given
	rest    []search.Candidate  // those behind, which are not compared
	ready   int                 // how many of those left have been read with what may be near
	given   int                 // how many were settled before
	settled []*search.Candidate // those that were settled together
	next    int                 // of these
}

// foldNearDuplicates has the candidates given without those that say no more than another, as far
// as they are asked for.
func foldNearDuplicates(_ context.Context, r *Ranking) error {
	depth := min(len(r.candidates), nearDepth)
	d := &r.distinct
	for i := range r.candidates[:depth] {
		d.all = append(d.all, comparedCandidate{Candidate: &r.candidates[i]})
	}
	d.of, d.left, d.rest = r, d.all, r.candidates[depth:]
	return nil
}

// clear forgets the ranking, and keeps the room for the next.
func (d *nearDuplicateFilter) clear() {
	clear(d.all)
	clear(d.settled[:cap(d.settled)])
	*d = nearDuplicateFilter{all: d.all[:0], settled: d.settled[:0]}
}

// nextDistinct gives the best candidate that is left, nil when none is.
func (d *nearDuplicateFilter) nextDistinct(ctx context.Context) (*search.Candidate, error) {
	if d.next == len(d.settled) {
		if err := d.settleNextScore(ctx); err != nil || len(d.settled) == 0 {
			return nil, err
		}
	}
	d.next++
	return d.settled[d.next-1], nil
}

// settleNextScore takes all of those left that have the next score: one of them may have been
// put in the place of another. Where there are editions of one of them, it takes all
// that are left, as any of those may belong before it.
func (d *nearDuplicateFilter) settleNextScore(ctx context.Context) error {
	d.settled, d.next = d.settled[:0], 0
	isNext := func(c *search.Candidate) bool {
		return len(d.settled) == 0 || c.Score == d.settled[0].Score && c.Related == d.settled[0].Related
	}
	if err := d.settleWhile(ctx, isNext); err != nil {
		return err
	}
	if d.given < originalsDepth && slices.ContainsFunc(d.settled, d.hasEdition) {
		if err := d.settleWhile(ctx, func(*search.Candidate) bool { return true }); err != nil {
			return err
		}
	}
	if len(d.left) == 0 {
		for i := range d.rest {
			d.settled = append(d.settled, &d.rest[i])
		}
		d.rest = nil
	}
	slices.SortFunc(d.settled, (*search.Candidate).Compare)
	moveOriginalsFirst(d.settled, d.given)
	d.given += len(d.settled)
	return nil
}

// settleWhile settles those of the first left for which there is a reason.
func (d *nearDuplicateFilter) settleWhile(ctx context.Context, isTaken func(*search.Candidate) bool) error {
	for len(d.left) > 0 && isTaken(d.left[0].Candidate) {
		first, err := d.settleFirst(ctx)
		if err != nil {
			return err
		}
		d.settled = append(d.settled, first)
	}
	return nil
}

// hasEdition reports whether there may be another edition of a candidate among those that
// are not given.
func (d *nearDuplicateFilter) hasEdition(c *search.Candidate) bool {
	for i := range d.left {
		if areEditions(c, d.left[i].Candidate) {
			return true
		}
	}
	for i := range d.rest {
		if areEditions(c, &d.rest[i]) {
			return true
		}
	}
	return slices.ContainsFunc(d.settled, func(other *search.Candidate) bool { return areEditions(c, other) })
}

// settleFirst takes the first of those left, and out what folds into it.
func (d *nearDuplicateFilter) settleFirst(ctx context.Context) (*search.Candidate, error) {
	if d.ready == 0 {
		if err := d.readAhead(ctx); err != nil {
			return nil, err
		}
	}
	d.ready--
	first, others := d.left[0], d.left[1:]
	left := others[:0]
	for _, c := range others {
		if !first.mayBeDuplicate(c) {
			left = append(left, c)
			continue
		}
		if err := d.of.readCandidates(ctx, &first, &c); err != nil {
			return nil, err
		}
		if !d.of.foldInto(&first, c) {
			left = append(left, c)
		}
	}
	d.left = left
	return first.Candidate, nil
}

// readAhead reads at once the texts of as many as are still wanted, and those of all
// that may be near to one of them.
func (d *nearDuplicateFilter) readAhead(ctx context.Context) error {
	d.ready = min(len(d.left), max(1, d.of.places()-len(d.of.chosen)))
	for i, c := range d.left {
		if i < d.ready || slices.ContainsFunc(d.left[:d.ready], c.mayBeDuplicate) {
			d.of.wantText(c.Document)
		}
	}
	return d.of.readTexts(ctx)
}

// mayBeDuplicate reports whether one of two candidates may be folded into the other.
func (c comparedCandidate) mayBeDuplicate(other comparedCandidate) bool {
	return c.Related == other.Related && c.Document != other.Document && c.Traits.Sketch.MayBeSimilar(other.Traits.Sketch)
}

// readCandidates takes candidates apart that were not yet. A document that was replaced says
// nothing.
func (r *Ranking) readCandidates(ctx context.Context, all ...*comparedCandidate) error {
	for _, c := range all {
		if c.said != nil {
			continue
		}
		text, err := r.chunkText(ctx, &c.Chunk)
		if err != nil {
			return err
		}
		c.said = append(ComparableText{}, saidBy(c.Document, text)...)
	}
	return nil
}

// foldInto keeps in o one of two of which one holds the other, and remembers that one.
// A short one that is better than a long one that holds it stays beside it. What was
// made of a draft stands for it, though the draft may say a little more.
func (r *Ranking) foldInto(o *comparedCandidate, c comparedCandidate) bool {
	holds, isHeld := o.said.Contains(c.said), c.said.Contains(o.said)
	resembles := c.said.HasSimilarLength(o.said)
	isOther := false // which is to stay
	switch {
	case holds && isHeld:
		isOther = isOriginal(c.Document, o.Document)
	case holds:
		isOther = resembles && isFinalVersionOf(c.Candidate, o.Candidate)
	default:
		isOther = !isDraftOf(c.Document, o.Document)
	}
	switch {
	case !holds && !(isHeld && resembles):
		return false
	case isOther && isNamedMoreThan(o.Candidate, c.Candidate), !isOther && isNamedMoreThan(c.Candidate, o.Candidate):
		return false
	case isOther:
		c.SetScore(byCopy, max(c.Score, o.Score))
		*o, c = c, *o
	}
	to, from := chunkAt{o.Document, o.Number}, chunkAt{c.Document, c.Number}
	r.near[to] = append(append(r.near[to], c.Chunk), r.near[from]...)
	delete(r.near, from)
	return true
}
