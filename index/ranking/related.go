package ranking

import (
	"context"

	"vademecum/index/rank"
	"vademecum/index/search"
)

// addRelated adds chunks found by vectors if the words find fewer than wanted: chunks with parts of
// the words, as in compounds and derived words. They rank below everything found by words,
// regardless of score. Chunks are left out if they only have a word that looks like one of the
// question but is a different one.
func addRelated(ctx context.Context, r *recallState) error {
	found := r.found.Candidates
	if r.HasSemanticVectors || len(found) >= r.wanted {
		return nil
	}
	least := 1.0
	if len(found) > 0 {
		least = found[len(found)-1].Score
	}
	total, others := 0.0, rank.NewFilter(r.Postings.Slots())
	for _, p := range r.phrasings {
		total += p.Weight
		r.Postings.AddSimilarlySpelled(others, p.Terms)
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
			if c := r.Chunk(h.Slot); h.Score >= MinRelatedSimilarity && !r.isCandidate(c.ContentHash) && !others.Has(h.Slot) {
				score := r.VectorWeight * h.Score * p.Weight / total
				all = append(all, search.Candidate{Chunk: *c, Score: min(least, score), VectorRank: place, IsRelatedOnly: true})
			}
		}
	}
	search.SortCandidates(all)
	all = withoutCopies(all)
	r.found.Candidates = append(found, all[:min(len(all), r.wanted-len(found))]...)
	return nil
}

// isCandidate reports whether a chunk with the given content hash is among the candidates.
func (r *recallState) isCandidate(w rank.ChunkTextHash) bool {
	g, known := r.hashes[w]
	return known && r.groups[g].candidate > 0
}

// withoutCopies keeps the best of the chunks with the same content hash, with the best ranks of all
// of them.
func withoutCopies(candidates []search.Candidate) []search.Candidate {
	first := make(map[rank.ChunkTextHash]int)
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
