package vector

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	chromem "github.com/philippgille/chromem-go"

	"vademecum/index/rank"
)

// chromemIndex is an Index in a chromem-go collection in memory, which contains only slots and
// vectors. It does not use chromem-go's own persistence.
type chromemIndex struct {
	collection *chromem.Collection
	bySlot     [][]float32 // the vectors in the collection, by slot; the collection itself returns only copies
	dimensions int
}

var _ Index = (*chromemIndex)(nil)

// newChromemIndex returns an index without vectors.
func newChromemIndex() *chromemIndex {
	collection, err := chromem.NewDB().CreateCollection("chunks", nil, refuseToEmbed)
	if err != nil {
		panic(err) // only an empty name is refused
	}
	return &chromemIndex{collection: collection}
}

// refuseToEmbed is the embedding function of the collection. It prevents chromem-go from using its
// default function, which sends texts to a remote provider.
func refuseToEmbed(context.Context, string) ([]float32, error) {
	return nil, fmt.Errorf("chunks are embedded before they are stored")
}

// Len implements Index.
func (x *chromemIndex) Len() int { return x.collection.Count() }

// Dimensions implements Index.
func (x *chromemIndex) Dimensions() int { return x.dimensions }

// VectorAt implements Index.
func (x *chromemIndex) VectorAt(s rank.Slot) []float32 {
	if int(s) >= len(x.bySlot) {
		return nil
	}
	return x.bySlot[s]
}

// Put implements Index.
func (x *chromemIndex) Put(s rank.Slot, vec []float32) error {
	if err := checkFits(x, vec); err != nil {
		return err
	}
	for int(s) >= len(x.bySlot) {
		x.bySlot = append(x.bySlot, nil)
	}
	x.dimensions, x.bySlot[s] = len(vec), vec
	return x.addToCollection(s, vec)
}

// addToCollection adds a vector only to the collection. It is safe for concurrent use.
func (x *chromemIndex) addToCollection(s rank.Slot, vec []float32) error {
	return x.collection.AddDocument(context.Background(), chromem.Document{ID: documentID(s), Embedding: vec})
}

func documentID(s rank.Slot) string { return strconv.FormatUint(uint64(s), 10) }

// Delete implements Index.
func (x *chromemIndex) Delete(s rank.Slot) {
	if x.VectorAt(s) == nil {
		return
	}
	x.bySlot[s] = nil
	// The filters must be nil: an empty map would delete everything.
	if err := x.collection.Delete(context.Background(), nil, nil, documentID(s)); err != nil {
		panic(err) // only operations on files fail, and there are none
	}
}

// TopK implements Index.
func (x *chromemIndex) TopK(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([][]rank.Hit, error) {
	if err := checkFits(x, queries...); err != nil {
		return nil, err
	}
	all := make([][]rank.Hit, len(queries))
	for i, query := range queries {
		var err error
		if all[i], err = x.top(ctx, query, k, keep, chunks); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// top returns the k vectors nearest to one query. chromem-go can neither filter by a set of slots
// nor leave out copies: if there is a filter, or copies are among its best k, the vectors are
// compared here, one after the other.
func (x *chromemIndex) top(ctx context.Context, query []float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([]rank.Hit, error) {
	if keep != nil {
		return x.scanAll(ctx, query, k, keep, chunks)
	}
	width := min(k, x.Len())
	if width == 0 {
		return nil, nil
	}
	results, err := x.collection.QueryEmbedding(ctx, query, width, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("query vectors: %w", err)
	}
	best := rank.NewTopHits(k, chunks)
	for _, r := range results {
		s, err := strconv.ParseUint(r.ID, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("vector id %q: %w", r.ID, err)
		}
		best.Add(rank.Hit{Slot: rank.Slot(s), Score: float64(r.Similarity)})
	}
	if hits := best.Hits(); len(hits) == k || width == x.Len() {
		return hits, nil
	}
	return x.scanAll(ctx, query, k, nil, chunks)
}

// scanAll returns what top returns by comparing the query with each vector, without chromem-go.
func (x *chromemIndex) scanAll(ctx context.Context, query []float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([]rank.Hit, error) {
	best := rank.NewTopHits(k, chunks)
	first := rank.Slot(0)
	for some := range slices.Chunk(x.bySlot, 4096) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i, vec := range some {
			if s := first + rank.Slot(i); vec != nil && keep.Has(s) {
				best.Add(rank.Hit{Slot: s, Score: float64(dotProduct(query, vec))})
			}
		}
		first += rank.Slot(len(some))
	}
	return best.Hits(), nil
}

// dotProduct returns the scalar product, summed in the same order as in chromem-go, so that a
// chunk has the same similarity with and without a filter.
func dotProduct(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// Compare implements Index.
func (x *chromemIndex) Compare(query []float32) func(rank.Slot) (float64, bool) {
	return func(s rank.Slot) (cosine float64, ok bool) {
		vec := x.VectorAt(s)
		for i, v := range vec {
			cosine += float64(v) * float64(query[i])
		}
		return cosine, vec != nil
	}
}
