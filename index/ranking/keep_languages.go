package ranking

import (
	"context"
	"slices"

	"vademecum/index/search"
)

// keepLanguages gives the best passage in each language of the phrasings a place among the chosen
// ones if others have taken all places: that of the last passage, but never that of the best. It
// returns the candidates left, including those that lost their places.
func (r *Ranking) keepLanguages(ctx context.Context, left []*search.Candidate) ([]*search.Candidate, error) {
	for i := range r.candidates {
		c := &r.candidates[i]
		if !c.IsBestInLanguage || len(r.chosen) < r.places() || r.isShown(c) || r.isNear(c) {
			continue
		}
		last := r.lastGivingWay()
		if last < 0 {
			break
		}
		left = append(slices.DeleteFunc(left, func(o *search.Candidate) bool { return o.Document == c.Document && o.Number == c.Number }), &r.chosen[last].Candidate)
		r.chosen = slices.Delete(r.chosen, last, last+1)
		if err := r.takeCandidate(ctx, c); err != nil {
			return nil, err
		}
	}
	return left, nil
}

// lastGivingWay returns the index of the chosen passage with the lowest score that may be replaced: one
// that is neither the best in its language nor the best of all; -1 if there is none.
func (r *Ranking) lastGivingWay() int {
	last, best := -1, 0
	for n, p := range r.chosen {
		if p.Score > r.chosen[best].Score {
			best = n
		}
		if !p.IsBestInLanguage && (last < 0 || p.Score < r.chosen[last].Score) {
			last = n
		}
	}
	if last == best {
		return -1
	}
	return last
}

// isShown reports whether a candidate is in a passage of this page or an earlier one.
func (r *Ranking) isShown(c *search.Candidate) bool {
	holds := func(p *Passage) bool { return p.holds(c) }
	return slices.ContainsFunc(r.chosen, holds) || slices.ContainsFunc(r.shown, holds)
}

// holds reports whether a candidate is in a passage.
func (p *Passage) holds(c *search.Candidate) bool {
	return p.Document == c.Document && p.first <= c.Number && c.Number <= p.last
}

// isNear reports whether a candidate was folded, as a near duplicate, into another candidate or a
// passage.
func (r *Ranking) isNear(c *search.Candidate) bool {
	for _, folded := range r.near {
		if slices.ContainsFunc(folded, func(n search.Chunk) bool { return n.Document == c.Document && n.Number == c.Number }) {
			return true
		}
	}
	return false
}
