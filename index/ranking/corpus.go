package ranking

import (
	"context"

	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// Corpus is chunks to be ranked. Nothing of it changes meanwhile.
type Corpus struct {
	ChunkSource
	Postings *lexical.Index
	Vectors  Vectors
	Semantic bool    // the vectors compare what texts mean, and find what has no word of a question
	Weight   float64 // their part of a score
}

// ChunkSource reports what a ranking needs to know of chunks beside their words and vectors.
type ChunkSource interface {
	rank.Chunks
	// Chunk returns the chunk at a slot, which is not to be changed.
	Chunk(rank.Slot) *search.Chunk
	// SlotsOf lists the slots of all chunks of the document that has one at a slot, in
	// their order.
	SlotsOf(rank.Slot) []rank.Slot
	// CountDirectories counts those that have a searchable document, as far as two.
	CountDirectories() int
	// CountInDirectory counts the searchable documents in the directory of one.
	CountInDirectory(*search.Document) int
}

// Vectors are the vectors of chunks, as a vector.Index has them.
type Vectors interface {
	Len() int
	Dimensions() int
	Top(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.Chunks) ([][]rank.Hit, error)
	Compare(query []float32) func(rank.Slot) (cosine float64, ok bool)
}
