package searcher

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/ranking"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
)

// view is the state of the index for one query.
type view struct {
	*Searcher
	search.Documents
	snapshot  *db.Snapshot
	libraries []folderLibrary
	wholes    []*lexical.CorpusStats
	bases     []uint32 // first slot of each library in the numbering of all libraries
	documents *documentsBySlot
	known     map[string]bool // terms looked up so far, and whether any chunk has them
}

// prepare loads the documents in the store and the statistics of each library, and returns the
// folders that have changed since the store last followed their changes.
func (v *view) prepare(ctx context.Context) (late []int, err error) {
	followed := make([]int64, len(v.libraries)) // changes that the documents include at least
	for i, l := range v.libraries {
		followed[i] = l.follower.LastFollowedChange()
	}
	if v.documents = v.table.documentsFor(v.store); v.documents.damage != nil {
		return nil, v.documents.damage
	}
	end := uint32(0)
	for i, l := range v.libraries {
		whole, change, err := l.CorpusStats(ctx, v.snapshot)
		if err != nil {
			return nil, err
		}
		if change > followed[i] {
			late = append(late, l.folder)
		}
		v.wholes, v.bases = append(v.wholes, whole), append(v.bases, end)
		end += whole.AssignedSlots
	}
	return late, nil
}

// Search implements search.View.
func (v *view) Search(ctx context.Context, asked []search.Phrasing, filter search.Filter, wanted int) (search.Result, error) {
	phrasings := ranking.AnalysePhrasings(asked)
	e, err := v.gatherPostings(ctx, phrasings)
	if err != nil {
		return search.Result{}, err
	}
	defer e.Release()
	near, err := v.nearestSlots(ctx, phrasings, filter)
	if err != nil {
		return search.Result{}, err
	}
	found, err := v.rankCandidates(ctx, e, phrasings, filter, wanted, near)
	if err != nil || v.store.ModelProperties.Semantic || len(found.Candidates) >= wanted {
		return found, err
	}
	if near, err = v.relatedSlots(ctx, phrasings, filter); err != nil || near == nil {
		return found, err
	}
	return v.rankCandidates(ctx, e, phrasings, filter, wanted, near)
}

// rankCandidates ranks what the words find, together with the passages in near for each library.
func (v *view) rankCandidates(ctx context.Context, e *lexical.QueryPostings, phrasings []ranking.Phrasing, only search.Filter, wanted int, near [][]uint32) (search.Result, error) {
	keep := v.admitted(only)
	h, err := v.fetchCandidates(ctx, e, phrasings, keep, near)
	if err != nil {
		return search.Result{}, err
	}
	found, err := h.corpus().Search(ctx, phrasings, h.onlyFetched(keep), wanted, ctx.Err)
	if err == nil && h.lost {
		err = fmt.Errorf("a passage that the lists have is gone: %w", catalog.ErrDamaged)
	}
	return found, err
}

// fetchCandidates fetches the chunks to examine, and more of them if many have the same content
// hash.
func (v *view) fetchCandidates(ctx context.Context, e *lexical.QueryPostings, phrasings []ranking.Phrasing, keep admittedSlots, near [][]uint32) (*candidateWindow, error) {
	const most = 64
	for times := 2; ; times *= 4 {
		p := ranking.NewCandidateScan(phrasings, times)
		err := e.EachSlotWindow(func(first uint32, x *lexical.Index) error {
			return p.ScanIndex(ctx, x, first, keep.filter(first, x.Slots()))
		})
		if err != nil {
			return nil, err
		}
		candidates := p.Finish()
		h, err := v.fillWindow(ctx, e, phrasings, candidates, near)
		if err != nil || times > most || candidates.HasEnoughDistinct(h.hashAt) {
			return h, err
		}
	}
}

// gatherPostings reads the postings that the phrasings need.
func (v *view) gatherPostings(ctx context.Context, phrasings []ranking.Phrasing) (*lexical.QueryPostings, error) {
	questions := make([]analysis.Question, len(phrasings))
	for i, p := range phrasings {
		questions[i] = p.Terms
	}
	e := lexical.NewQueryPostings(questions, v.wholes)
	terms := append(lexical.Terms(questions), lexical.TrigramListNames(questions)...)
	if err := v.addLists(ctx, e, terms); err != nil {
		return nil, err
	}
	var words []string
	for i, l := range v.libraries {
		numbers, err := e.SimilarTermIDs(i)
		if err != nil {
			return nil, err
		}
		found, err := l.WordsByNumber(ctx, v.snapshot, numbers)
		if err != nil {
			return nil, err
		}
		words = append(words, found...)
	}
	return e, v.addLists(ctx, e, e.ExpansionTerms(words))
}

func (v *view) addLists(ctx context.Context, e *lexical.QueryPostings, terms []string) error {
	for i, l := range v.libraries {
		err := l.EachPostingsList(ctx, v.snapshot, terms, func(term string, list lexical.StoredList) error { return e.Add(i, term, list) })
		if err != nil {
			return err
		}
	}
	for _, t := range terms {
		v.known[t] = e.HasTerm(t)
	}
	return nil
}

// Explain implements search.View.
func (v *view) Explain(ctx context.Context, phrasings []search.Phrasing, chunk search.Chunk) ([]search.TermWeight, error) {
	if chunk.Number >= int(chunk.Document.SlotRange.Count) {
		return nil, nil
	}
	analysed := ranking.AnalysePhrasings(phrasings)
	e, err := v.gatherPostings(ctx, analysed)
	if err != nil {
		return nil, err
	}
	defer e.Release()
	v.includeDocument(e, chunk.Document)
	h, err := v.newCandidateWindow(e)
	if err != nil {
		return nil, err
	}
	return h.corpus().Explain(ctx, analysed, h.slotOfChunk(chunk.Document, chunk.Number))
}

// UnknownWords implements search.View.
func (v *view) UnknownWords(ctx context.Context, question string) (unknown, respelled []string, err error) {
	terms := analysis.UnknownWordLookupTerms(question)
	if err := v.findKnownTerms(ctx, terms); err != nil {
		return nil, nil, err
	}
	isKnown := func(term string) bool { return v.known[term] }
	return analysis.UnknownWords(question, isKnown), analysis.RespelledWords(question, isKnown), nil
}

// LoadBodies implements search.View.
func (v *view) LoadBodies(ctx context.Context, documents []*search.Document) (map[*search.Document]text.Body, error) {
	return v.store.LoadBodiesWith(ctx, documents, func(from *live.Follower, ctx context.Context, hashes map[int64][32]byte) (map[int64]text.Body, error) {
		c, err := v.openLists.catalogOf(from)
		if err != nil {
			return nil, err
		}
		return c.LoadBodiesInSnapshot(ctx, v.snapshot, hashes)
	})
}

// findKnownTerms determines for each term whether a chunk has it. Postings are read only if all of
// their chunks may be deleted.
func (v *view) findKnownTerms(ctx context.Context, terms []string) error {
	terms = slices.DeleteFunc(slices.Clone(terms), func(t string) bool { _, ok := v.known[t]; return ok })
	if len(terms) == 0 {
		return nil
	}
	e := lexical.NewQueryPostings(nil, v.wholes)
	defer e.Release()
	for i, l := range v.libraries {
		counts, err := l.PostingsCounts(ctx, v.snapshot, terms)
		if err != nil {
			return err
		}
		var short []string
		for term, n := range counts {
			if n > v.wholes[i].CountDeleted() {
				v.known[term] = true
			} else {
				short = append(short, term)
			}
		}
		err = l.EachPostingsList(ctx, v.snapshot, short, func(term string, list lexical.StoredList) error { return e.Add(i, term, list) })
		if err != nil {
			return err
		}
	}
	for _, t := range terms {
		v.known[t] = v.known[t] || e.HasTerm(t)
	}
	return nil
}

// AppendCopies implements search.View.
func (v *view) AppendCopies(ctx context.Context, chunks []search.Chunk, hashes map[rank.ChunkTextHash]bool, filter search.Filter) ([]search.Chunk, error) {
	listed := slices.Collect(maps.Keys(hashes))
	isMeant, before := v.admits(filter), len(chunks)
	for _, l := range v.libraries {
		all, err := l.PassagesByHash(ctx, v.snapshot, listed)
		if err != nil {
			return nil, err
		}
		for _, p := range all {
			if d := v.documents.documentAt(l.folder, p.Slot); d != nil && isMeant(d) {
				chunks = append(chunks, chunkOf(d, p))
			}
		}
	}
	search.SortByLocation(chunks[before:])
	return chunks, nil
}
