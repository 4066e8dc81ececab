package ranking

import (
	"context"

	"vademecum/index/lexical"
	"vademecum/index/rank"
)

// CandidateScan collects the slots of the chunks that Search may examine, if these are not in
// memory and are found in one index after another. Several may have the same content hash, which is
// not known yet, so it lists more than are examined.
type CandidateScan struct {
	phrasings []Phrasing
	times     int
	weighed   []*lexical.WeightedQuestion // by phrasing
	lists     []candidateLists            // by phrasing
}

type candidateLists struct{ words, headings, names, folders *rank.TopHits }

// NewCandidateScan returns a scan that lists times as many chunks as Search examines for each
// phrasing.
func NewCandidateScan(phrasings []Phrasing, times int) *CandidateScan {
	p := &CandidateScan{phrasings: phrasings, times: times}
	best := func(most int) *rank.TopHits { return rank.NewTopHits(times*most, lexical.DistinctChunks{}) }
	for range phrasings {
		p.lists = append(p.lists, candidateLists{best(listDepth), best(namedDepth), best(namedDepth), best(namedDepth)})
	}
	return p
}

// ScanIndex scans the chunks of an index, whose first slot is first in the numbering of all. The
// weights of terms are the same in each index.
func (p *CandidateScan) ScanIndex(ctx context.Context, x *lexical.Index, first uint32, keep rank.Filter) error {
	offer := func(to *rank.TopHits, hits []rank.Hit) {
		for _, h := range hits {
			h.Slot += rank.Slot(first)
			to.Add(h)
		}
	}
	for i, phrasing := range p.phrasings {
		if i == len(p.weighed) {
			w, err := x.WeightQuestion(ctx, phrasing.Terms)
			if err != nil {
				return err
			}
			p.weighed = append(p.weighed, w)
		}
		sc, err := x.ScoreWeighted(ctx, p.weighed[i])
		if err != nil {
			return err
		}
		to := &p.lists[i]
		to.words.MergeOffered()
		leading, err := sc.CandidateChunks(ctx, to.words.MinScore(), p.times*listDepth, p.times*namedDepth, keep)
		x.Release(sc)
		if err != nil {
			return err
		}
		offer(to.words, leading.Words)
		offer(to.headings, leading.Headings)
		offer(to.names, leading.Names)
		offer(to.folders, leading.Folders)
	}
	return nil
}

// ScannedCandidates holds the chunks of all indexes that may be among the best.
type ScannedCandidates struct {
	Slots []rank.Slot // each once
	// by phrasing, the first chunks of documents whose best chunk is to be found by words
	NamedDocuments [][]rank.Slot

	lists []boundedList
}

// boundedList holds the best chunks of a list.
type boundedList struct {
	slots          []rank.Slot
	wanted, looked int // number of distinct chunks wanted, and maximum number listed
}

// Candidates ends the scan and returns its result.
func (p *CandidateScan) Candidates() (all ScannedCandidates) {
	seen := make(map[rank.Slot]bool)
	list := func(best *rank.TopHits) (slots []rank.Slot) {
		for _, h := range best.Hits() {
			if slots = append(slots, h.Slot); !seen[h.Slot] {
				seen[h.Slot] = true
				all.Slots = append(all.Slots, h.Slot)
			}
		}
		return slots
	}
	for _, l := range p.lists {
		all.lists = append(all.lists, boundedList{list(l.words), listDepth, p.times * listDepth}, boundedList{list(l.headings), namedDepth, p.times * namedDepth})
		all.NamedDocuments = append(all.NamedDocuments, append(list(l.names), list(l.folders)...))
	}
	return all
}

// IsEnough reports whether each list has as many distinct chunks as Search examines, or contains
// all there are. hash returns false for missing chunks.
func (all ScannedCandidates) IsEnough(hash func(rank.Slot) (w rank.ContentHash, ok bool)) bool {
	for _, l := range all.lists {
		different := make(map[rank.ContentHash]bool)
		for _, s := range l.slots {
			if w, ok := hash(s); ok {
				different[w] = true
			}
		}
		if len(different) < l.wanted && len(l.slots) == l.looked {
			return false
		}
	}
	return true
}

// BestInDocuments lists the chunks that best match the words of each phrasing in documents, which
// are given by their first chunks.
func (c *Corpus) BestInDocuments(ctx context.Context, phrasings []Phrasing, firsts [][]rank.Slot) (best []rank.Slot, err error) {
	for i, p := range phrasings {
		if len(firsts[i]) == 0 {
			continue
		}
		sc, err := c.Postings.Score(ctx, p.Terms)
		if err != nil {
			return nil, err
		}
		for _, first := range firsts[i] {
			best = append(best, c.bestInDocument(sc, first))
		}
		c.Postings.Release(sc)
	}
	return best, nil
}

// bestInDocument returns the chunk with the highest word score in the document that has a chunk at
// the given slot.
func (c *Corpus) bestInDocument(sc *lexical.Scores, of rank.Slot) rank.Slot {
	best := of
	for _, s := range c.SlotsOf(of) {
		if sc.ScoreAt(s) > sc.ScoreAt(best) {
			best = s
		}
	}
	return best
}
