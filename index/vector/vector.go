// Package vector ranks chunks by cosine similarity: it finds those whose embedding vectors are most
// similar to that of a query. It identifies chunks only by their slots. Texts, locking and storage
// of snapshots are up to the caller: the package itself does no I/O.
package vector

import (
	"context"
	"fmt"
	"math"

	"vademecum/index/rank"
)

// Index holds a vector for some of the chunks. All have the same number of dimensions and Euclidean
// length 1, so that the scalar product of two is their cosine. The caller must lock: methods that
// change nothing may be called concurrently, Put and Delete only when no other method is running.
type Index interface {
	// Len returns the number of chunks with a vector.
	Len() int
	// Dimensions returns the number of dimensions; 0 before the first vector.
	Dimensions() int
	// VectorAt returns the vector of a chunk; nil if it has none. It must not be modified.
	VectorAt(rank.Slot) []float32
	// Put sets the vector of a chunk, and replaces any previous one. A vector that does not fit,
	// see CanCompare, is an error.
	Put(rank.Slot, []float32) error
	// Delete removes the vector of a chunk, if it has one.
	Delete(rank.Slot)
	// TopK returns for each query the k most similar chunks that a filter keeps, best first, and
	// only one of those with the same content hash. A query that does not fit is an error. Several
	// queries together take no longer than one after the other, and may take less.
	TopK(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([][]rank.Hit, error)
	// Compare returns a function that compares a fitting query with the vectors of chunks, as long
	// as the index is not changed; ok is false if a chunk has none.
	Compare(query []float32) func(rank.Slot) (cosine float64, ok bool)
}

// CanCompare reports whether a vector can be compared with those of an index: it has length 1 and
// as many dimensions as they have.
func CanCompare(x interface{ Dimensions() int }, vec []float32) bool {
	return len(vec) > 0 && (x.Dimensions() == 0 || len(vec) == x.Dimensions()) && IsUnitVector(vec)
}

// checkFits returns an error for vectors that do not fit: one of another length would make every
// query fail.
func checkFits(x Index, vectors ...[]float32) error {
	for _, vec := range vectors {
		if !CanCompare(x, vec) {
			return fmt.Errorf("a vector of %d dimensions does not fit the index of %d", len(vec), x.Dimensions())
		}
	}
	return nil
}

// IsUnitVector reports whether a vector has length 1. It returns false for a vector that is zero, or
// contains an infinity or a NaN.
func IsUnitVector(vec []float32) bool {
	var sum float64
	for _, x := range vec {
		sum += float64(x) * float64(x)
	}
	return math.Abs(sum-1) < 1e-3
}
