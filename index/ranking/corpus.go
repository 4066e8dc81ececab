package ranking

import (
	"context"

	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// Corpus is the chunks to be ranked. It does not change during a ranking.
type Corpus struct {
	ChunkSource
	Postings *lexical.Index
	Vectors  Vectors
	Semantic bool    // the vectors compare meanings, and find chunks without a word of the question
	Weight   float64 // weight of the vectors in a score
}

// ChunkSource provides what a ranking needs of chunks besides words and vectors.
type ChunkSource interface {
	rank.Chunks
	// Chunk returns the chunk at a slot, which must not be changed.
	Chunk(rank.Slot) *search.Chunk
	// SlotsOf lists the slots of all chunks of the document that has a chunk at the slot, in
	// order.
	SlotsOf(rank.Slot) []rank.Slot
	// CountDirectories counts the directories with a searchable document, up to two.
	CountDirectories() int
	// CountInDirectory counts the searchable documents in a directory.
	CountInDirectory(*search.Document) int
}

// Vectors are the vectors of chunks, as a vector.Index has them.
type Vectors interface {
	Len() int
	Dimensions() int
	Top(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.Chunks) ([][]rank.Hit, error)
	Compare(query []float32) func(rank.Slot) (cosine float64, ok bool)
}
