package lexical

import (
	"cmp"
	"context"
	"encoding/binary"

	"vademecum/index/rank"
)

// CandidateChunks holds the best chunks for a query before their contents are known: a limited number
// from each list. Chunks with the same content hash are not deduplicated.
type CandidateChunks struct {
	Words          []rank.Hit
	Headings       []rank.Hit
	Names, Folders []rank.Hit // first chunks of the matching documents
}

// CandidateChunks returns the best chunks that a filter keeps. It returns up to most chunks by their
// words, all with a score of least or more, and up to named chunks by each kind of name.
func (sc *Scores) CandidateChunks(ctx context.Context, least float64, most, named int, keep rank.Filter) (CandidateChunks, error) {
	words, err := sc.top(ctx, keep, rank.NewTopHitsFrom(least, most, DistinctChunks{}))
	if err != nil {
		return CandidateChunks{}, err
	}
	return CandidateChunks{
		Words:    words,
		Headings: sc.TopHeadings(named, keep, DistinctChunks{}),
		Names:    sc.TopNames(named, keep, DistinctChunks{}),
		Folders:  sc.TopFolders(named, keep, DistinctChunks{}),
	}, nil
}

// DistinctChunks identifies and orders chunks by their slots, as if all contents were different.
type DistinctChunks struct{}

// ContentHash returns a different hash for each slot.
func (DistinctChunks) ContentHash(s rank.Slot) (w rank.ContentHash) {
	binary.BigEndian.PutUint64(w[:], uint64(s))
	return w
}

// Compare orders the chunks at two slots.
func (DistinctChunks) Compare(s, t rank.Slot) int { return cmp.Compare(s, t) }
