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
	weighed, err := x.WeightQuestion(ctx, q)
	if err != nil {
		return nil, err
	}
	saturation := x.saturation()
	scores := make(map[string]float64)
	for _, w := range weighed.terms {
		if x.lengths[s] == 0 {
			continue
		}
		isAt := func(e posting) bool { return e.slot() == s }
		list := x.postingsOf(w.id)
		list = append(list, x.chunksWithFormsOnly(w.id, w.forms)...)
		part := 1.0
		at := slices.IndexFunc(list, isAt)
		if at < 0 {
			part, list = compoundPart, x.chunksWithFormsOnly(w.id, w.compounds)
			at = slices.IndexFunc(list, isAt)
		}
		if at >= 0 {
			scores[analysis.WithoutField(w.term)] += part * (w.presence + w.weight*saturation.termWeight(list[at].tf(), x.lengths[s]))
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
