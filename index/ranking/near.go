package ranking

import (
	"context"
	"slices"

	"vademecum/index/rank"
	"vademecum/index/search"
)

// chunkAt identifies a chunk.
type chunkAt struct {
	document *search.Document
	number   int
}

// comparedCandidate is a candidate with the words of its text, for comparison with others.
type comparedCandidate struct {
	*search.Candidate
	words ComparableText // words of its text; nil until needed
}

// nearDuplicateFilter returns the candidates of a ranking, best first, without those that add nothing to
// another. foldInto decides which of two is kept; it has the position of the better one.
//
// A candidate precedes those that are part of it, so only the returned candidates are compared with
// all that follow: a query for five passages compares five candidates with the others, not all
// hundred. Sketches show which texts are worth reading.
type nearDuplicateFilter struct {
	of   *Ranking
	all  []comparedCandidate
	left []comparedCandidate // candidates still to compare, none of them part of a returned one
	rest []search.Candidate  // following candidates, which are not compared
	// how many of left have been read, together with their possible duplicates
	ready   int
	given   int                 // how many candidates were settled before
	settled []*search.Candidate // candidates that were settled together
	next    int                 // index of the next one in settled
}

// foldNearDuplicates initialises the nearDuplicateFilter of a ranking, which then returns the candidates
// one by one, without those that add nothing to another.
func foldNearDuplicates(_ context.Context, r *Ranking) error {
	depth := min(len(r.candidates), nearDepth)
	d := &r.distinct
	for i := range r.candidates[:depth] {
		d.all = append(d.all, comparedCandidate{Candidate: &r.candidates[i]})
	}
	d.of, d.left, d.rest = r, d.all, r.candidates[depth:]
	return nil
}

// clear resets the filter, and keeps the allocated memory.
func (d *nearDuplicateFilter) clear() {
	clear(d.all)
	clear(d.settled[:cap(d.settled)])
	*d = nearDuplicateFilter{all: d.all[:0], settled: d.settled[:0]}
}

// nextDistinct returns the best remaining candidate; nil if there is none.
func (d *nearDuplicateFilter) nextDistinct(ctx context.Context) (*search.Candidate, error) {
	if d.next == len(d.settled) {
		if err := d.settleNextScore(ctx); err != nil || len(d.settled) == 0 {
			return nil, err
		}
	}
	d.next++
	return d.settled[d.next-1], nil
}

// settleNextScore decides which of the candidates with the next score are kept, and in which order. It
// decides on all of them together, because one may replace another, and on all that are left if one
// has editions, because any of those may belong before it.
func (d *nearDuplicateFilter) settleNextScore(ctx context.Context) error {
	d.settled, d.next = d.settled[:0], 0
	isNext := func(c *search.Candidate) bool {
		return len(d.settled) == 0 || c.Score == d.settled[0].Score && c.IsRelatedOnly == d.settled[0].IsRelatedOnly
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

// settleWhile settles the first remaining candidates as long as isTaken returns true for the next one.
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

// hasEdition reports whether another edition of a candidate may be among those not returned yet.
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

// settleFirst removes the first remaining candidate and those that are folded into it, and returns the
// one that is kept.
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

// readAhead reads the texts of the candidates still wanted and of their possible duplicates in one
// batch.
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
	return c.IsRelatedOnly == other.IsRelatedOnly && c.Document != other.Document && c.Traits.MinHash.MayBeSimilar(other.Traits.MinHash)
}

// readCandidates splits the texts of candidates into words, each once. A document that was replaced
// has no text.
func (r *Ranking) readCandidates(ctx context.Context, all ...*comparedCandidate) error {
	for _, c := range all {
		if c.words != nil {
			continue
		}
		text, err := r.chunkText(ctx, &c.Chunk)
		if err != nil {
			return err
		}
		c.words = append(ComparableText{}, saidBy(c.Document, text)...)
	}
	return nil
}

// foldInto folds one of two candidates into the other if the other contains it, and reports whether it
// did. It keeps the remaining one in o, and records the folded one. A short candidate that is better
// than a long one that contains it is kept beside it. A final version represents its draft, even if the
// draft says a little more, and is kept beside a draft that says much more.
func (r *Ranking) foldInto(o *comparedCandidate, c comparedCandidate) bool {
	holds, isHeld := o.words.Contains(c.words), c.words.Contains(o.words)
	resembles := c.words.hasSimilarLength(o.words)
	isOther := false // c is kept instead of o
	switch {
	case holds && isHeld:
		isOther = isOriginal(c.Document, o.Document)
	case holds:
		if isOther = isFinalVersionOf(c.Candidate, o.Candidate); isOther && !resembles {
			return false
		}
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

// foldEqualLines keeps one of several passages that are reduced to the same line, and records the places of
// the others in it. Only a single line of each passage is compared: longer texts are near duplicates.
func foldEqualLines(_ context.Context, r *Ranking) error {
	if !r.SingleLines {
		return nil
	}
	first := make(map[string]*Passage)
	kept := r.chosen[:0]
	for _, p := range r.chosen {
		line := rank.FoldText(p.Text)
		if o := first[line]; o != nil {
			place := p.Chunk
			place.Span = p.Span
			o.SameLineChunks = append(o.SameLineChunks, place)
			continue
		}
		first[line] = p
		kept = append(kept, p)
	}
	r.chosen = kept
	return nil
}
