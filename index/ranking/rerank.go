package ranking

import (
	"cmp"
	"context"
	"math"
	"slices"

	"vademecum/index/catalog"
	"vademecum/index/search"
)

// RerankTexts returns the texts that a reranker is to judge for a question: those of its
// best candidates, best first, as the embedder is given them. What it says of them is for
// Question.Scores. It is asked between two moments of the index and not in one: a model
// may take seconds, for which nothing is to be held up.
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

// rerankTexts are those of the first candidates, "" of documents that were replaced.
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

// applyReranker puts the best candidates into the order in which a reranker has them, those of
// which it said nothing behind the others: they came since it was asked. They share out the
// scores that they have, as a model's are on a scale of its own, and how much worse one is
// than another decides what is shown of it. What has no word of the question stays behind
// what has.
func applyReranker(ctx context.Context, r *Ranking) error {
	if len(r.Scores) == 0 {
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

// compareRelated orders what is only related behind all else, as search.SortCandidates does.
func compareRelated(a, b *search.Candidate) int {
	switch {
	case a.Related == b.Related:
		return 0
	case a.Related:
		return 1
	}
	return -1
}

// rerankScore is what the reranker says of a text, less than any score where it says nothing.
func (r *Ranking) rerankScore(text string) float64 {
	if score, ok := r.Scores[text]; ok {
		return score
	}
	return math.Inf(-1)
}

// leastApart is by how much scores differ at least that are to say in which order their
// candidates stand.
const leastApart = 1e-9

// distinctScores are those of the first n candidates, raised where they are equal to the
// next: equal ones would be put in the order of their paths.
func (r *Ranking) distinctScores(n int) []float64 {
	scores := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		scores[i] = r.candidates[i].Score
		next := i + 1
		if next == len(r.candidates) || r.candidates[next].Related != r.candidates[i].Related {
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
