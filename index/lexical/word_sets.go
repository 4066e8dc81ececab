package lexical

import "vademecum/index/rank"

// WordSet is the set of the words of a query in one or more chunks, as a bit set in the order of
// Scores.shares. It is empty for a query of more than heldWords words.
type WordSet uint16

// WordsOfChunk returns the words of the query that a chunk contains.
func (sc *Scores) WordsOfChunk(s rank.Slot) WordSet {
	held := WordSet(sc.held.at(s))
	for i := range sc.frequent {
		if t := &sc.frequent[i]; t.held > 0 && t.chunks.has(s) {
			held |= WordSet(t.held)
		}
	}
	return held
}

// RecordsChunkWords reports whether WordsOfChunk and CoveredShare can be used: not for a long query, of which
// the words in each chunk are not recorded.
func (sc *Scores) RecordsChunkWords() bool { return len(sc.shares) > 0 }

// CoveredShare returns the share of the query, from 0 to 1, that a set of words covers.
func (sc *Scores) CoveredShare(of WordSet) (share float64) {
	for i, s := range sc.shares {
		if of&(1<<i) != 0 {
			share += s
		}
	}
	return share
}
