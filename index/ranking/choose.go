package ranking

import (
	"context"
	"slices"

	"vademecum/index/rank"
	"vademecum/index/search"
)

// choose turns candidates, of which none are copies, into passages worth reading:
// neighbours are joined, and one document does not take every place while others have
// something to say.
func choose(ctx context.Context, r *Ranking) error {
	perDocument := (r.Wanted + 1) / 2
	var over []*search.Candidate // of documents that have their places
	taken := make(map[*search.Document]int)
	for len(r.chosen) < r.Wanted {
		c, err := r.distinct.take(ctx)
		if err != nil {
			return err
		}
		if c == nil {
			break
		}
		if taken[c.Document] >= perDocument && r.neighbour(newPassage(c)) == nil {
			over = append(over, c)
			continue
		}
		before := len(r.chosen)
		if err := r.take(ctx, c); err != nil {
			return err
		}
		taken[c.Document] += max(0, len(r.chosen)-before)
	}
	for _, c := range over {
		if len(r.chosen) == r.Wanted {
			break
		}
		if err := r.take(ctx, c); err != nil {
			return err
		}
	}
	slices.SortStableFunc(r.chosen, func(a, b *Passage) int { return a.Candidate.Compare(&b.Candidate) })
	return nil
}

// take joins a candidate to a neighbour, or gives it a place.
func (r *Ranking) take(ctx context.Context, c *search.Candidate) error {
	own, err := r.textOf(ctx, &c.Chunk)
	if err != nil || own == "" {
		return err
	}
	text := r.bodies[c.Document].Text
	one := newPassage(c)
	one.Text, one.wordings = own, []rank.Wording{c.Wording}
	if to := r.neighbour(one); to != nil {
		to.join(one, text)
		r.closeGap(to, text)
		return nil
	}
	r.chosen = append(r.chosen, one)
	return nil
}
