package lexical

import "vademecum/index/rank"

// WordSet is the set of the words of a question that a chunk has, or several chunks together, a
// bit for each. It is empty for a question of more than heldWords words.
type WordSet uint16

// WordsOfChunk returns which words of the question a chunk has.
func (sc *Scores) WordsOfChunk(s rank.Slot) WordSet {
	held := WordSet(sc.held.at(s))
	for i := range sc.frequent {
		if t := &sc.frequent[i]; t.held > 0 && t.chunks.has(s) {
			held |= WordSet(t.held)
		}
	}
	return held
}

// HasShares reports whether the words of the question have shares, which those of a long one do
// not.
func (sc *Scores) HasShares() bool { return len(sc.shares) > 0 }

// ShareOf returns the share of the question that some words have, 0 to 1.
func (sc *Scores) ShareOf(of WordSet) (share float64) {
	for i, s := range sc.shares {
		if of&(1<<i) != 0 {
			share += s
		}
	}
	return share
}
