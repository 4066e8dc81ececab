package lexical

import "vademecum/index/rank"

// Held is which words of a question a chunk has, or several chunks together, a bit for
// each. It is none of a question of more than heldWords words.
type Held uint16

// Held tells which words of the question a chunk has.
func (sc *Scores) Held(s rank.Slot) Held {
	held := Held(sc.held.at(s))
	for i := range sc.frequent {
		if t := &sc.frequent[i]; t.held > 0 && t.chunks.has(s) {
			held |= Held(t.held)
		}
	}
	return held
}

// HasShares tells whether any of the question is known by its words: not of a long one.
func (sc *Scores) HasShares() bool { return len(sc.shares) > 0 }

// Share is the share of the question that some words have, 0 to 1.
func (sc *Scores) Share(of Held) (share float64) {
	for i, s := range sc.shares {
		if of&(1<<i) != 0 {
			share += s
		}
	}
	return share
}
