package ranking

import (
	"vademecum/index/rank"
	"vademecum/index/search"
)

// withoutCopies keeps the best of those that have the same wording, with the
// ranks that they share.
func withoutCopies(candidates []search.Candidate) []search.Candidate {
	first := make(map[rank.Wording]int)
	kept := candidates[:0]
	for _, c := range candidates {
		i, isCopy := first[c.Wording]
		if !isCopy {
			first[c.Wording] = len(kept)
			kept = append(kept, c)
			continue
		}
		best := &kept[i]
		best.LexicalRank, best.VectorRank = BetterRank(best.LexicalRank, c.LexicalRank), BetterRank(best.VectorRank, c.VectorRank)
	}
	return kept
}
