package ranking

import (
	"cmp"
	"context"
	"math"
	"slices"

	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// RerankTexts returns the texts that a reranker should score for a question: those of its best
// candidates, best first, in the form used for embedding. The scores are set in Question.RerankScoresByText. It
// is called between two views of the index, not within one: a model may take seconds, during which
// nothing should be blocked.
func RerankTexts(ctx context.Context, view search.View, q Question) ([]string, error) {
	r := newRanking(q, view, nil)
	defer r.Release()
	for _, stage := range candidateStages {
		if err := stage(ctx, r); err != nil {
			return nil, err
		}
	}
	all, err := r.rerankTexts(ctx)
	return slices.DeleteFunc(all, func(text string) bool { return text == "" }), err
}

// rerankTexts returns the texts of the first candidates; "" for documents that were replaced.
func (r *Ranking) rerankTexts(ctx context.Context) ([]string, error) {
	first := r.candidates[:min(len(r.candidates), rerankDepth)]
	if err := r.readTextsOf(ctx, first); err != nil {
		return nil, err
	}
	all := make([]string, len(first))
	for i := range first {
		text, err := r.chunkText(ctx, &first[i].Chunk)
		if err != nil {
			return nil, err
		}
		if text != "" {
			all[i] = catalog.EmbeddingInput(text, first[i].Heading)
		}
	}
	return all, nil
}

// applyReranker sorts the best candidates by the scores of a reranker; those without one, which are
// newer, come last. The existing scores are redistributed in the new order, because the scores of a
// model are on a scale of their own, and differences decide what is shown. Candidates without a
// word of the question stay behind those with one.
func applyReranker(ctx context.Context, r *Ranking) error {
	if len(r.RerankScoresByText) == 0 {
		return nil
	}
	texts, err := r.rerankTexts(ctx)
	if err != nil {
		return err
	}
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if c := compareRelated(&r.candidates[i], &r.candidates[j]); c != 0 {
			return c
		}
		return cmp.Compare(r.rerankScore(texts[j]), r.rerankScore(texts[i]))
	})
	scores := r.distinctScores(len(order))
	reordered := make([]search.Candidate, len(order))
	for place, i := range order {
		reordered[place] = r.candidates[i]
		reordered[place].SetScore(byReranker, scores[place])
	}
	copy(r.candidates, reordered)
	return nil
}

// compareRelated orders candidates that have only parts of words (IsRelatedOnly) after all others, like
// search.SortCandidates.
func compareRelated(a, b *search.Candidate) int {
	switch {
	case a.IsRelatedOnly == b.IsRelatedOnly:
		return 0
	case a.IsRelatedOnly:
		return 1
	}
	return -1
}

// rerankScore returns the reranker's score of a text, or less than any score if there is none.
func (r *Ranking) rerankScore(text string) float64 {
	if score, ok := r.RerankScoresByText[text]; ok {
		return score
	}
	return math.Inf(-1)
}

// leastApart is the smallest difference of scores that determines an order.
const leastApart = 1e-9

// distinctScores returns the scores of the first n candidates, raised where they equal the next,
// because equal ones would be sorted by path.
func (r *Ranking) distinctScores(n int) []float64 {
	scores := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		scores[i] = r.candidates[i].Score
		next := i + 1
		if next == len(r.candidates) || r.candidates[next].IsRelatedOnly != r.candidates[i].IsRelatedOnly {
			continue
		}
		below := r.candidates[next].Score
		if next < n {
			below = scores[next]
		}
		scores[i] = max(scores[i], below+leastApart)
	}
	return scores
}
