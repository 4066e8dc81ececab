package ranking

import (
	"context"
	"slices"

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
	r.dropLesser()
	return nil
}

// dropLesser drops the passages that answer much less well than the best, with their
// names and by what stands in them: what is called as was asked need not be the only one
// that answers.
func (r *Ranking) dropLesser() {
	best, content := 0.0, 0.0
	for _, p := range r.chosen {
		best, content = max(best, p.Score), max(content, p.content())
	}
	r.chosen = slices.DeleteFunc(r.chosen, func(p *Passage) bool {
		return !p.Related && p.Score < r.Least*best && p.content() < r.Least*content
	})
}

// content is the part of the score that is of the passage itself.
func (p *Passage) content() float64 { return p.Parts[byWords] + p.Parts[byVectors] + p.Parts[byPhrase] }

// take joins a candidate to a neighbour, or gives it a place.
func (r *Ranking) take(ctx context.Context, c *search.Candidate) error {
	own, err := r.textOf(ctx, &c.Chunk)
	if err != nil || own == "" {
		return err
	}
	text := r.bodies[c.Document].Text
	one := newPassage(c)
	one.Text, one.chunks = own, []search.Chunk{c.Chunk}
	if to := r.neighbour(one); to != nil {
		to.join(one, text)
		r.closeGap(to, text)
		return nil
	}
	r.chosen = append(r.chosen, one)
	return nil
}
