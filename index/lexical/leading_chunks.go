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
	ByWords            []rank.Hit
	ByHeadings         []rank.Hit
	ByNames, ByFolders []rank.Hit // first chunks of the matching documents
}

// CandidateChunks returns the best chunks that a filter keeps: at most limit by their words, all of them
// with at least minScore, and at most nameLimit by each kind of name.
func (sc *Scores) CandidateChunks(ctx context.Context, minScore float64, limit, nameLimit int, keep rank.Filter) (CandidateChunks, error) {
	words, err := sc.top(ctx, keep, rank.NewTopHitsFrom(minScore, limit, UndeduplicatedChunks{}))
	if err != nil {
		return CandidateChunks{}, err
	}
	return CandidateChunks{
		ByWords:    words,
		ByHeadings: sc.TopByHeadings(nameLimit, keep, UndeduplicatedChunks{}),
		ByNames:    sc.TopDocumentsByName(nameLimit, keep, UndeduplicatedChunks{}),
		ByFolders:  sc.TopDocumentsByFolder(nameLimit, keep, UndeduplicatedChunks{}),
	}, nil
}

// UndeduplicatedChunks implements rank.ChunkProperties as if all chunks had different contents, and orders them by slot.
type UndeduplicatedChunks struct{}

// ContentHash returns a different hash for each slot.
func (UndeduplicatedChunks) ContentHash(s rank.Slot) (w rank.ChunkTextHash) {
	binary.BigEndian.PutUint64(w[:], uint64(s))
	return w
}

// Compare orders the chunks at two slots.
func (UndeduplicatedChunks) Compare(s, t rank.Slot) int { return cmp.Compare(s, t) }
