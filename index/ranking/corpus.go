package ranking

import (
	"context"

	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// Corpus holds the chunks to be ranked. It does not change during a ranking.
type Corpus struct {
	ChunkSource
	Postings           *lexical.Index
	Vectors            Vectors
	HasSemanticVectors bool    // the vectors are those of a model: they represent meanings, and find chunks without a word of the query
	VectorWeight       float64 // weight of the vectors in a score
}

// ChunkSource provides the properties of chunks that a ranking needs besides words and vectors.
type ChunkSource interface {
	rank.ChunkProperties
	// Chunk returns the chunk at a slot, which must not be changed.
	Chunk(rank.Slot) *search.Chunk
	// DocumentSlotsOf lists the slots of all chunks of the document that has a chunk at the given slot, in
	// order.
	DocumentSlotsOf(rank.Slot) []rank.Slot
	// CountDirectories returns the number of directories with a searchable document, at most 2.
	CountDirectories() int
	// CountInDirectory returns the number of searchable documents in the directory of a document.
	CountInDirectory(*search.Document) int
}

// Vectors provides the vectors of chunks, as a vector.Index does.
type Vectors interface {
	Len() int
	Dimensions() int
	TopK(ctx context.Context, queries [][]float32, k int, keep rank.Filter, chunks rank.ChunkProperties) ([][]rank.Hit, error)
	Compare(query []float32) func(rank.Slot) (cosine float64, ok bool)
}
