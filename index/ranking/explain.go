package ranking

import (
	"cmp"
	"context"
	"slices"

	"vademecum/index/rank"
	"vademecum/index/search"
)

// Explain lists the terms for which the chunk at a slot is found by its words, the
// weightiest first, over all phrasings.
func (l *Library) Explain(ctx context.Context, phrasings []Phrasing, slot rank.Slot) ([]search.Weight, error) {
	total := 0.0
	scores := make(map[string]float64)
	for _, p := range phrasings {
		weights, err := l.Postings.Explain(ctx, p.Terms, slot)
		if err != nil {
			return nil, err
		}
		for _, w := range weights {
			scores[w.Term] += p.Weight * w.Score
			total += p.Weight * w.Score
		}
	}
	all := make([]search.Weight, 0, len(scores))
	for t, score := range scores {
		all = append(all, search.Weight{Term: t, Share: Share(score, total)})
	}
	slices.SortFunc(all, func(a, b search.Weight) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Term, b.Term))
	})
	return all, nil
}
