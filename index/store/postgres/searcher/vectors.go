package searcher

import (
	"context"
	"math"
	"slices"

	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/ranking"
	"vademecum/index/search"
)

// windowVectors holds the vectors of the chunks in the window. By the vectors of the built-in
// embedding, chunks found by words are weighed again; by those of a model, the nearest chunks are
// in the window too.
type windowVectors struct{ of *candidateWindow }

var _ ranking.Vectors = windowVectors{}

// Len implements ranking.Vectors.
func (v windowVectors) Len() int { return max(len(v.of.sketches), len(v.of.vectors)) }

// Dimensions implements ranking.Vectors.
func (v windowVectors) Dimensions() int {
	if v.of.store.ModelProperties.IsWorthStoring() {
		for _, vec := range v.of.vectors {
			return len(vec)
		}
		return 0
	}
	for _, sketch := range v.of.sketches {
		return len(sketch)
	}
	return 0
}

// Compare implements ranking.Vectors.
func (v windowVectors) Compare(query []float32) func(rank.Slot) (float64, bool) {
	return func(s rank.Slot) (float64, bool) {
		if !v.of.store.ModelProperties.IsWorthStoring() {
			return cosine(query, v.of.sketches[s])
		}
		vec := v.of.vectors[s]
		if len(vec) != len(query) {
			return 0, false
		}
		sum := 0.0
		for i, x := range vec {
			sum += float64(x) * float64(query[i])
		}
		return sum, true
	}
}

// cosine returns the cosine of a vector and a sketch; ok is false if their lengths differ.
func cosine(query []float32, sketch []int16) (float64, bool) {
	if len(sketch) != len(query) {
		return 0, false
	}
	sum, square := 0.0, 0.0
	for i, n := range sketch {
		x := float64(n)
		sum += float64(query[i]) * x
		square += x * x
	}
	return sum / math.Sqrt(max(square, 1)), true
}

// TopK implements ranking.Vectors.
func (v windowVectors) TopK(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([][]rank.Hit, error) {
	all := make([][]rank.Hit, len(queries))
	for i, query := range queries {
		best, compare := rank.NewTopHits(k, chunks), v.Compare(query)
		for s := range v.of.chunks {
			if c, ok := compare(s); ok && keep.Has(s) {
				best.Add(rank.Hit{Slot: s, Score: c})
			}
		}
		all[i] = best.Hits()
	}
	return all, ctx.Err()
}

// nearDepth is how many of the texts nearest to a query are compared by exact vectors: no more are
// ranked. If a filter admits at most fewSlots passages, all of them are compared.
const (
	nearDepth = ranking.MaxCandidatesPerList
	fewSlots  = 10_000
)

// nearestSlots lists for each library the slots of the passages that are nearest to the phrasings
// by the vectors of a model.
func (v *view) nearestSlots(ctx context.Context, phrasings []ranking.Phrasing, only search.Filter) ([][]uint32, error) {
	near := make([][]uint32, len(v.libraries))
	if !v.store.ModelProperties.Semantic {
		return near, nil
	}
	for i, l := range v.libraries {
		ask := l.NearestSlots
		runs, count := v.admittedRuns(l, only)
		if runs != nil && count <= fewSlots {
			ask = l.NearestSlotsExact
		}
		for _, p := range phrasings {
			if len(p.Vector) == 0 || runs != nil && count == 0 {
				continue
			}
			found, err := ask(ctx, v.snapshot, p.Vector, nearDepth, runs)
			if err != nil {
				return nil, err
			}
			near[i] = append(near[i], found...)
		}
	}
	return near, nil
}

// admittedRuns returns the slots of the documents of a library that a filter admits, in order, and
// how many there are; nil means all.
func (v *view) admittedRuns(l folderLibrary, only search.Filter) (runs []lexical.SlotRange, count int) {
	if only.MatchesAll() {
		return nil, 0
	}
	runs = []lexical.SlotRange{}
	for _, d := range v.store.Matching(only) {
		if d.Folder == l.folder && d.SlotRange.Count > 0 {
			for _, r := range d.SlotRangesWithin(only.Conditions.Period()) {
				runs, count = append(runs, r), count+int(r.Count)
			}
		}
	}
	slices.SortFunc(runs, func(x, y lexical.SlotRange) int { return compareSlots(x.First, y.First) })
	joined := runs[:0]
	for _, r := range runs {
		if last := len(joined) - 1; last >= 0 && joined[last].First+joined[last].Count == r.First {
			joined[last].Count += r.Count
		} else {
			joined = append(joined, r)
		}
	}
	return joined, count
}

// mostRelated is the maximum number of passages for which all vectors of the built-in embedding are
// compared if words find too little: they take 100 MB then. Related passages in larger libraries
// are not found.
const mostRelated = 100_000

// relatedSlots lists for each library the slots of passages that may be added at the end if the
// words of the phrasings find fewer than wanted; none if the libraries are too large.
func (v *view) relatedSlots(ctx context.Context, phrasings []ranking.Phrasing, only search.Filter) ([][]uint32, error) {
	total := 0
	for _, w := range v.wholes {
		total += w.Chunks
	}
	if total > mostRelated {
		return nil, nil
	}
	isMeant := v.admits(only)
	near := make([][]uint32, len(v.libraries))
	for i, l := range v.libraries {
		err := l.EachBuiltinVector(ctx, v.snapshot, func(slot uint32, sketch []int16) {
			if d := v.documents.documentAt(l.folder, slot); d == nil || !isMeant(d) {
				return
			}
			for _, p := range phrasings {
				if c, ok := cosine(p.Vector, sketch); ok && c >= ranking.MinRelatedSimilarity {
					near[i] = append(near[i], slot)
					return
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return near, nil
}
