package memindex

import (
	"context"

	"vademecum/docs/text"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/ranking"
	"vademecum/index/search"
)

// mostViews is the maximum number of times that View calls f, because documents may be replaced
// before their texts are read.
const mostViews = 3

// View implements search.Searcher. The index may change while f runs, and texts are read from the
// catalogues in their state at that time. If a catalogue no longer has a text, View follows its
// changes and calls f again.
func (ix *Index) View(ctx context.Context, f func(context.Context, search.View) error) error {
	for n := 1; ; n++ {
		v := &view{Index: ix, Documents: ix.store}
		if err := f(ctx, v); err != nil || !v.replaced || n == mostViews {
			return err
		}
		for folder := range ix.store.Followers() {
			if _, err := ix.store.Follow(ctx, folder); err != nil {
				return err
			}
		}
	}
}

// view is the search.View of an Index. It records whether a text was missing.
type view struct {
	*Index
	search.Documents
	replaced bool
}

// LoadBodies implements search.View.
func (v *view) LoadBodies(ctx context.Context, of []*search.Document) (map[*search.Document]text.Body, error) {
	found, err := v.store.LoadBodies(ctx, of)
	v.replaced = v.replaced || err == nil && len(found) < len(of)
	return found, err
}

// Search implements search.View. It releases the lock between phrasings, so that writers do not
// wait for all of them.
func (v *view) Search(ctx context.Context, phrasings []search.Phrasing, only search.Filter, wanted int) (found search.Result, err error) {
	analysed := ranking.AnalysePhrasings(phrasings)
	err = v.store.ReadLockedWithPauses(ctx, func(docs *live.Documents, pause func() error) (err error) {
		found, err = v.newCorpus(docs).Search(ctx, analysed, docs.SlotFilter(only, len(v.chunks)), wanted, pause)
		return err
	})
	return found, err
}

// UnknownWords implements search.View.
func (v *view) UnknownWords(_ context.Context, question string) (unknown, respelled []string, err error) {
	v.store.ReadLocked(func(*live.Documents) {
		unknown, respelled = analysis.UnknownWords(question, v.postings.HasTerm), analysis.RespelledWords(question, v.postings.HasTerm)
	})
	return unknown, respelled, nil
}

// Explain implements search.View.
func (v *view) Explain(ctx context.Context, phrasings []search.Phrasing, of search.Chunk) (weights []search.TermWeight, err error) {
	v.store.ReadLocked(func(docs *live.Documents) {
		if of.Number >= len(of.Document.Slots) {
			return
		}
		if slot := of.Document.Slots[of.Number]; v.chunkAt(slot).Key == of.Key {
			weights, err = v.newCorpus(docs).Explain(ctx, ranking.AnalysePhrasings(phrasings), slot)
		}
	})
	return weights, err
}

// CountLanguages implements search.View. It looks at the first chunk of each document.
func (v *view) CountLanguages(ctx context.Context) (map[string]int, error) {
	byCode := make(map[string]int)
	v.store.ReadLocked(func(docs *live.Documents) {
		for d := range docs.All {
			if d.SkipReason == "" && len(d.Slots) > 0 {
				byCode[v.chunkAt(d.Slots[0]).Traits.CertainLanguage().Code()]++
			}
		}
	})
	return byCode, ctx.Err()
}

// newCorpus returns the content of the index as a ranking.Corpus. The caller must hold the lock for
// reading.
func (ix *Index) newCorpus(docs *live.Documents) *ranking.Corpus {
	model := ix.store.ModelProperties
	return &ranking.Corpus{ChunkSource: chunkHolder{&ix.contents, docs}, Postings: ix.postings, Vectors: ix.vectors, HasSemanticVectors: model.Semantic, VectorWeight: model.Weight}
}

// chunkHolder provides chunks in memory by slot.
type chunkHolder struct {
	*contents
	*live.Documents
}

var _ ranking.ChunkSource = chunkHolder{}

// ContentHash returns the content hash of the chunk in a slot.
func (h chunkHolder) ContentHash(s rank.Slot) rank.ChunkTextHash { return h.chunks[s].ContentHash }

// Compare orders the chunks in two slots by location.
func (h chunkHolder) Compare(a, b rank.Slot) int { return h.chunks[a].CompareLocation(&h.chunks[b]) }

// Chunk returns the chunk in a slot.
func (h chunkHolder) Chunk(s rank.Slot) *search.Chunk { return &h.chunks[s] }

// DocumentSlotsOf returns the slots of the document that has a chunk in the given slot.
func (h chunkHolder) DocumentSlotsOf(s rank.Slot) []rank.Slot { return h.chunks[s].Document.Slots }
