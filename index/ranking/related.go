package ranking

import (
	"context"

	"vademecum/index/rank"
	"vademecum/index/search"
)

// addRelated lists the chunks that the vectors find where the words find fewer than
// wanted: those that have parts of the words, as compounds and derived words do.
// They stand below what the words have found, whatever that is worth. None has a
// word that looks like one of the question and is another.
func addRelated(ctx context.Context, r *recallState) error {
	found := r.found.Candidates
	if r.Semantic || len(found) >= r.wanted {
		return nil
	}
	least := 1.0
	if len(found) > 0 {
		least = found[len(found)-1].Score
	}
	total, others := 0.0, rank.NewFilter(r.Postings.Slots())
	for _, p := range r.phrasings {
		total += p.Weight
		r.Postings.AddLookalikes(others, p.Terms)
	}
	if err := r.yield(); err != nil {
		return err
	}
	lists, err := r.compareVectors(ctx, r.phrasings, r.wanted, r.keep)
	if err != nil {
		return err
	}
	var all []search.Candidate
	for i, p := range r.phrasings {
		for place, h := range rank.WithRanks(lists[i]) {
			if c := r.Chunk(h.Slot); h.Score >= LeastRelated && !r.isCandidate(c.ContentHash) && !others.Has(h.Slot) {
				score := r.Weight * h.Score * p.Weight / total
				all = append(all, search.Candidate{Chunk: *c, Score: min(least, score), VectorRank: place, Related: true})
			}
		}
	}
	search.SortCandidates(all)
	all = withoutCopies(all)
	r.found.Candidates = append(found, all[:min(len(all), r.wanted-len(found))]...)
	return nil
}

// isCandidate reports whether a chunk with some content hash is among the candidates.
func (r *recallState) isCandidate(w rank.ContentHash) bool {
	g, known := r.hashes[w]
	return known && r.groups[g].candidate > 0
}

// withoutCopies keeps the best of those that have the same content hash, with the
// ranks that they share.
func withoutCopies(candidates []search.Candidate) []search.Candidate {
	first := make(map[rank.ContentHash]int)
	kept := candidates[:0]
	for _, c := range candidates {
		i, isCopy := first[c.ContentHash]
		if !isCopy {
			first[c.ContentHash] = len(kept)
			kept = append(kept, c)
			continue
		}
		shareRanks(&kept[i], c.LexicalRank, c.VectorRank)
	}
	return kept
}
