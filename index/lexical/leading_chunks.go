package lexical

import (
	"cmp"
	"context"
	"encoding/binary"

	"vademecum/index/rank"
)

// LeadingChunks is the best chunks for a question before anything is known of them: of each
// list so many, those that have the same content hash not distinguished.
type LeadingChunks struct {
	Words          []rank.Hit
	Headings       []rank.Hit
	Names, Folders []rank.Hit // first chunks of documents
}

// Leading lists the leading chunks of those to keep, so many by their words, as far as
// they have a score or more, and so many each by names.
func (sc *Scores) Leading(ctx context.Context, least float64, most, named int, keep rank.Filter) (LeadingChunks, error) {
	words, err := sc.top(ctx, keep, rank.NewTopHitsFrom(least, most, DistinctChunks{}))
	if err != nil {
		return LeadingChunks{}, err
	}
	return LeadingChunks{
		Words:    words,
		Headings: sc.TopHeadings(named, keep, DistinctChunks{}),
		Names:    sc.TopNames(named, keep, DistinctChunks{}),
		Folders:  sc.TopFolders(named, keep, DistinctChunks{}),
	}, nil
}

// DistinctChunks distinguishes chunks by their contents, and orders them by their slots.
type DistinctChunks struct{}

// ContentHash is another one for each slot.
func (DistinctChunks) ContentHash(s rank.Slot) (w rank.ContentHash) {
	binary.BigEndian.PutUint64(w[:], uint64(s))
	return w
}

// Compare orders the chunks at two slots.
func (DistinctChunks) Compare(s, t rank.Slot) int { return cmp.Compare(s, t) }
