package vector

import (
	"context"

	"vademecum/index/rank"
)

// comparer is an index with sketches. It prepares a query for comparison with sketches, and with
// the vectors of chunks.
type comparer interface {
	sketchQuestion(query []float32) sketchedQuestion
	cosine(query []float32) func(rank.Slot) float64
}

// Number of vectors that are compared exactly after the sketches. Of 50,000 vectors distributed
// like those of a model, the ten best are among the 60 nearest sketches in 999 of 1,000 cases, and
// the 200 best among the 2,100 nearest in 995. Of 19,000 vectors of the built-in embedding, the 20
// best are among the 400 nearest in 999 cases, and without the rotation among the 10,000 nearest.
const (
	againLeast = 1000
	againPart  = 10 // for each vector wanted
)

// top implements TopK for the index x, which contains the sketches.
func (sk *sketches) top(ctx context.Context, x comparer, queries [][]float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([][]rank.Hit, error) {
	all := make([][]rank.Hit, len(queries))
	if sk.Len() == 0 {
		return all, nil
	}
	questions := make([]sketchedQuestion, len(queries))
	for i, query := range queries {
		questions[i] = x.sketchQuestion(query)
	}
	near, err := sk.nearest(ctx, questions, max(againLeast, againPart*k), keep)
	if err != nil {
		return nil, err
	}
	for i, list := range near {
		if list, err = sk.widenList(ctx, list, questions[i], keep, chunks); err != nil {
			return nil, err
		}
		best, cosine := rank.NewTopHits(k, chunks), x.cosine(queries[i])
		for _, d := range list.near {
			best.Add(rank.Hit{Slot: d.slot, Score: cosine(d.slot)})
		}
		all[i] = best.Hits()
	}
	return all, nil
}

// widenList extends a shortlist until enough of its chunks have distinct texts: the nearest may be
// copies of a few.
func (sk *sketches) widenList(ctx context.Context, list shortlist, q sketchedQuestion, keep rank.Filter, chunks rank.ChunkProperties) (shortlist, error) {
	enough := list.width / 2
	for !list.isAll() && countWordings(list, chunks) < enough {
		again, err := sk.nearest(ctx, []sketchedQuestion{q}, 8*list.width, keep)
		if err != nil {
			return list, err
		}
		list = again[0]
	}
	return list, nil
}

// countWordings returns how many distinct texts the chunks of a list have.
func countWordings(list shortlist, chunks rank.ChunkProperties) int {
	different := make(map[rank.ChunkTextHash]struct{}, len(list.near))
	for _, d := range list.near {
		different[chunks.ContentHash(d.slot)] = struct{}{}
	}
	return len(different)
}

// compare implements Compare for the index x, which contains the sketches.
func (sk *sketches) compare(x comparer, query []float32) func(rank.Slot) (float64, bool) {
	if sk.Len() == 0 {
		return func(rank.Slot) (float64, bool) { return 0, false }
	}
	cosine := x.cosine(query)
	return func(s rank.Slot) (float64, bool) {
		if !sk.hasSketch(s) {
			return 0, false
		}
		return cosine(s), true
	}
}
