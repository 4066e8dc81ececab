// Package vector ranks chunks by cosine similarity: it finds those whose embedding vectors are most
// similar to that of a query. It knows chunks by their slots only. The caller knows the texts,
// locks, and keeps snapshots: the package itself does no I/O.
package vector

import (
	"context"
	"fmt"
	"math"

	"vademecum/index/rank"
)

// Index holds a vector for some of the chunks. All have one length and are of unit
// length, so that the scalar product of two is their cosine. The caller has to lock: methods that
// change nothing may be called concurrently, Put and Delete only when no other method runs.
type Index interface {
	// Len returns how many chunks have a vector.
	Len() int
	// Dimensions returns the length of the vectors, 0 before the first.
	Dimensions() int
	// At returns the vector of a chunk, nil when it has none. It is not to be
	// changed.
	At(rank.Slot) []float32
	// Put gives a vector to a chunk, in place of the one that it had. One that
	// does not fit, see HasDimensionsOf, is an error.
	Put(rank.Slot, []float32) error
	// Delete takes the vector of a chunk away, if it has one.
	Delete(rank.Slot)
	// Top returns for each query the k most similar of the chunks that a filter keeps, best
	// first, one of those with the same wording. A query that does not fit is an error. Several
	// queries at once cost no more than one after the other, and may cost less.
	Top(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.Chunks) ([][]rank.Hit, error)
	// Compare prepares to compare a query that fits with the vectors of chunks, while
	// nothing is changed; ok is false when a chunk has none.
	Compare(query []float32) func(rank.Slot) (cosine float64, ok bool)
}

// HasDimensionsOf reports whether a vector can be compared with those of an index.
func HasDimensionsOf(x interface{ Dimensions() int }, vec []float32) bool {
	return len(vec) > 0 && (x.Dimensions() == 0 || len(vec) == x.Dimensions()) && IsUnit(vec)
}

// checkFits refuses vectors that do not fit: one of another length would make every query
// fail.
func checkFits(x Index, vectors ...[]float32) error {
	for _, vec := range vectors {
		if !HasDimensionsOf(x, vec) {
			return fmt.Errorf("a vector of %d dimensions does not fit the index of %d", len(vec), x.Dimensions())
		}
	}
	return nil
}

// IsUnit reports whether a vector has length 1; it is false for a vector that is zero, infinite
// or not a number.
func IsUnit(vec []float32) bool {
	var sum float64
	for _, x := range vec {
		sum += float64(x) * float64(x)
	}
	return math.Abs(sum-1) < 1e-3
}
