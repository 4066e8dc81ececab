package lexical

import (
	"cmp"
	"context"
	"slices"

	"vademecum/index/lexical/analysis"
	"vademecum/index/rank"
)

// TermContribution is a term and its contribution to the score of a chunk.
type TermContribution struct {
	Term  string
	Score float64
}

// Explain returns the terms that contribute to the score of the chunk in a slot, largest
// contribution first. It takes as long as scoring all chunks.
func (x *Index) Explain(ctx context.Context, q analysis.Question, s rank.Slot) ([]TermContribution, error) {
	kin := newSimilarTerms()
	parts, err := x.termGroups(ctx, x.limitWords(q), &kin)
	if err != nil {
		return nil, err
	}
	saturation := x.saturation()
	scores := make(map[string]float64)
	for _, part := range parts {
		for t, weight := range part.weights {
			w, ok := x.weighTerm(t, weight, part)
			if !ok || x.lengths[s] == 0 {
				continue
			}
			isAt := func(e posting) bool { return e.slot() == s }
			list := x.postingsOf(nil, w.id)
			list = append(list, x.chunksWithFormsOnly(w.id, w.forms)...)
			if at := slices.IndexFunc(list, isAt); at >= 0 {
				scores[analysis.WithoutField(t)] += w.weight * saturation.termWeight(list[at].tf(), x.lengths[s])
				continue
			}
			list = x.chunksWithFormsOnly(w.id, w.compounds)
			if at := slices.IndexFunc(list, isAt); at >= 0 {
				scores[analysis.WithoutField(t)] += compoundPart * w.weight * saturation.termWeight(list[at].tf(), x.lengths[s])
			}
		}
	}
	weights := make([]TermContribution, 0, len(scores))
	for t, score := range scores {
		weights = append(weights, TermContribution{t, score})
	}
	slices.SortFunc(weights, func(a, b TermContribution) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Term, b.Term))
	})
	return weights, nil
}
