package ranking

import (
	"context"

	"vademecum/index/lexical"
	"vademecum/index/rank"
)

// CandidateScan collects the slots of the chunks that Corpus.Search may examine, for chunks that are not
// in memory but found in several indexes, one after the other. Because their content hashes are not
// known yet, and some may be copies, it lists more chunks than Search examines.
type CandidateScan struct {
	phrasings []Phrasing
	times     int
	weighed   []*lexical.WeightedQuestion // by phrasing
	lists     []candidateLists            // by phrasing
}

type candidateLists struct{ words, headings, names, folders *rank.TopHits }

// NewCandidateScan returns a scan that lists, for each phrasing, oversampling times as many chunks as
// Corpus.Search examines.
func NewCandidateScan(phrasings []Phrasing, oversampling int) *CandidateScan {
	p := &CandidateScan{phrasings: phrasings, times: oversampling}
	best := func(most int) *rank.TopHits {
		return rank.NewTopHits(oversampling*most, lexical.UndeduplicatedChunks{})
	}
	for range phrasings {
		p.lists = append(p.lists, candidateLists{best(listDepth), best(namedDepth), best(namedDepth), best(namedDepth)})
	}
	return p
}

// ScanIndex scans the chunks of an index. firstSlot is the number, among the slots of all indexes, of the
// first slot of the index. The weights of terms must be the same in all indexes.
func (p *CandidateScan) ScanIndex(ctx context.Context, x *lexical.Index, firstSlot uint32, keep rank.Filter) error {
	offer := func(to *rank.TopHits, hits []rank.Hit) {
		for _, h := range hits {
			h.Slot += rank.Slot(firstSlot)
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
		offer(to.words, leading.ByWords)
		offer(to.headings, leading.ByHeadings)
		offer(to.names, leading.ByNames)
		offer(to.folders, leading.ByFolders)
	}
	return nil
}

// ScannedCandidates holds the chunks, found in all indexes by a CandidateScan, that may be among the best.
type ScannedCandidates struct {
	Slots []rank.Slot // slots of the chunks, each once
	// by phrasing, the first chunks of documents whose best chunk is to be found by words
	NamedDocumentSlots [][]rank.Slot

	lists []boundedList
}

// boundedList holds the best chunks by one criterion, such as their words.
type boundedList struct {
	slots          []rank.Slot
	wanted, looked int // number of distinct chunks wanted, and maximum number listed
}

// Finish ends the scan and returns its result.
func (p *CandidateScan) Finish() (all ScannedCandidates) {
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
		all.NamedDocumentSlots = append(all.NamedDocumentSlots, append(list(l.names), list(l.folders)...))
	}
	return all
}

// HasEnoughDistinct reports whether each list has as many chunks with distinct contents as Corpus.Search
// examines, or all chunks that match. hash returns the content hash of a chunk; ok is false if the chunk
// does not exist.
func (all ScannedCandidates) HasEnoughDistinct(hash func(rank.Slot) (w rank.ChunkTextHash, ok bool)) bool {
	for _, l := range all.lists {
		different := make(map[rank.ChunkTextHash]bool)
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

// BestChunksInDocuments lists, for each phrasing and each of its documents, the chunk that best matches the
// words. firstSlots are the slots of the first chunks of these documents, by phrasing.
func (c *Corpus) BestChunksInDocuments(ctx context.Context, phrasings []Phrasing, firstSlots [][]rank.Slot) (best []rank.Slot, err error) {
	for i, p := range phrasings {
		if len(firstSlots[i]) == 0 {
			continue
		}
		sc, err := c.Postings.Score(ctx, p.Terms)
		if err != nil {
			return nil, err
		}
		for _, first := range firstSlots[i] {
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
	for _, s := range c.DocumentSlotsOf(of) {
		if sc.ScoreAt(s) > sc.ScoreAt(best) {
			best = s
		}
	}
	return best
}
