package index

import (
	"context"
	"fmt"
	"math"
	"strconv"

	chromem "github.com/philippgille/chromem-go"

	"vademecum/index/rank"
)

// vectors is the vector index: a chromem-go collection in memory that holds
// nothing but slots and unit vectors. The caller guards it. chromem-go's own
// persistence is not used: see the catalogue.
type vectors struct {
	collection *chromem.Collection
	bySlot     [][]float32 // those in the collection, which gives out copies
	dimensions int         // 0 until the first vector
}

func newVectors() *vectors {
	collection, err := chromem.NewDB().CreateCollection("chunks", nil, refuseToEmbed)
	if err != nil {
		panic(err) // only an empty name is refused
	}
	return &vectors{collection: collection}
}

// refuseToEmbed keeps chromem-go from falling back to its default embedding
// function, which sends texts to a remote provider.
func refuseToEmbed(context.Context, string) ([]float32, error) {
	return nil, fmt.Errorf("chunks are embedded before they are stored")
}

func (v *vectors) id(s rank.Slot) string { return strconv.FormatUint(uint64(s), 10) }

// fits tells whether vec can be compared with the vectors held: one vector of
// another length would make every query fail.
func (v *vectors) fits(vec []float32) bool {
	return len(vec) > 0 && (v.dimensions == 0 || len(vec) == v.dimensions) && isUnit(vec)
}

// isUnit also refuses NaN, infinite and zero vectors.
func isUnit(vec []float32) bool {
	var sum float64
	for _, x := range vec {
		sum += float64(x) * float64(x)
	}
	return math.Abs(sum-1) < 1e-3
}

func (v *vectors) add(ctx context.Context, s rank.Slot, vec []float32) error {
	if !v.fits(vec) {
		return fmt.Errorf("a vector of %d dimensions does not fit the index of %d", len(vec), v.dimensions)
	}
	for int(s) >= len(v.bySlot) {
		v.bySlot = append(v.bySlot, nil)
	}
	v.dimensions, v.bySlot[s] = len(vec), vec
	return v.collect(ctx, s, vec)
}

// collect adds to the collection alone. Several goroutines may do so at once.
func (v *vectors) collect(ctx context.Context, s rank.Slot, vec []float32) error {
	return v.collection.AddDocument(ctx, chromem.Document{ID: v.id(s), Embedding: vec})
}

// at is the vector at s, nil when there is none.
func (v *vectors) at(s rank.Slot) []float32 {
	if int(s) >= len(v.bySlot) {
		return nil
	}
	return v.bySlot[s]
}

func (v *vectors) remove(ctx context.Context, s rank.Slot) error {
	v.bySlot[s] = nil
	// The filters stay nil: an empty map would delete everything.
	return v.collection.Delete(ctx, nil, nil, v.id(s))
}

func (v *vectors) count() int { return v.collection.Count() }

// top returns the k chunks most similar to query of those to keep, best first,
// one of those that have the same wording. chromem-go cannot filter by
// our own rules, so the list is widened until k are in it or there are no more.
func (v *vectors) top(ctx context.Context, query []float32, k int, keep rank.Filter, chunks rank.Chunks) ([]rank.Hit, error) {
	if !v.fits(query) {
		return nil, fmt.Errorf("the query's vector has %d dimensions, the index %d", len(query), v.dimensions)
	}
	for width := k; ; width *= 8 {
		width = min(width, v.count())
		if width == 0 {
			return nil, nil
		}
		results, err := v.collection.QueryEmbedding(ctx, query, width, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("query vectors: %w", err)
		}
		hits, err := admitted(results, k, keep, chunks)
		if err != nil || len(hits) == k || width == v.count() {
			return hits, err
		}
	}
}

func admitted(results []chromem.Result, k int, keep rank.Filter, chunks rank.Chunks) ([]rank.Hit, error) {
	best := rank.NewBest(k, chunks)
	for _, r := range results {
		n, err := strconv.ParseUint(r.ID, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("vector id %q: %w", r.ID, err)
		}
		if s := rank.Slot(n); keep.Has(s) {
			best.Offer(rank.Hit{Slot: s, Score: float64(r.Similarity)})
		}
	}
	return best.Hits(), nil
}

// similarity is the cosine of query and the vector at s; ok is false when the
// chunk has no vector.
func (v *vectors) similarity(query []float32, s rank.Slot) (cosine float64, ok bool) {
	vec := v.at(s)
	for i, x := range vec {
		cosine += float64(x) * float64(query[i])
	}
	return cosine, vec != nil
}
