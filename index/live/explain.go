package live

import (
	"cmp"
	"context"
	"slices"

	"vademecum/index/search"
)

// Explain lists the terms for which a chunk is found by its words, the weightiest
// first, over all phrasings. There are none when it is gone.
func (st *Store) Explain(ctx context.Context, phrasings []search.Phrasing, of search.Chunk) ([]search.Weight, error) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	if of.Number >= len(of.Document.Slots) {
		return nil, nil
	}
	slot, total := of.Document.Slots[of.Number], 0.0
	if st.chunkAt(slot).Key != of.Key {
		return nil, nil
	}
	scores := make(map[string]float64)
	for _, p := range analyse(phrasings) {
		weights, err := st.Postings.Explain(ctx, p.terms, slot)
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
