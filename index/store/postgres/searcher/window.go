package searcher

import (
	"context"

	"vademecum/index/lexical"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/ranking"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres"
	"vademecum/index/vector"
)

// candidateWindow holds what was fetched for a query: the postings of its terms, limited to
// documents that may be among the best, as an index with its own slot numbering, and the chunks
// that were read.
type candidateWindow struct {
	*view
	postings *lexical.Index
	numbers  *lexical.SlotRenumbering
	chunks   map[rank.Slot]*search.Chunk
	sketches map[rank.Slot][]int16   // built-in vectors of the fetched chunks
	vectors  map[rank.Slot][]float32 // vectors of a model
	lost     bool                    // a chunk was ranked that has not been fetched
}

// newCandidateWindow returns a window with the postings of a query for the documents included in e. Its
// chunks are not read yet.
func (v *view) newCandidateWindow(e *lexical.QueryPostings) (*candidateWindow, error) {
	postings, numbers, err := e.Index()
	if err != nil {
		return nil, err
	}
	return &candidateWindow{
		view: v, postings: postings, numbers: numbers,
		chunks: make(map[rank.Slot]*search.Chunk), sketches: make(map[rank.Slot][]int16), vectors: make(map[rank.Slot][]float32),
	}, nil
}

// fillWindow returns a window with the leading candidates, the nearest passages of each library,
// and the best chunks of the documents that the phrasings name.
func (v *view) fillWindow(ctx context.Context, e *lexical.QueryPostings, phrasings []ranking.Phrasing, candidates ranking.ScannedCandidates, near [][]uint32) (*candidateWindow, error) {
	wanted := make([]uint32, 0, len(candidates.Slots))
	for _, s := range candidates.Slots {
		wanted = append(wanted, uint32(s))
	}
	for i, slots := range near {
		for _, s := range slots {
			wanted = append(wanted, e.GlobalSlot(i, s))
		}
	}
	for _, s := range wanted {
		if d := v.documentAt(s); d != nil {
			v.includeDocument(e, d)
		}
	}
	h, err := v.newCandidateWindow(e)
	if err != nil {
		return nil, err
	}
	slots := h.localSlots(wanted)
	named := make([][]rank.Slot, len(candidates.NamedDocumentSlots))
	for i, firsts := range candidates.NamedDocumentSlots {
		for _, s := range firsts {
			named[i] = append(named[i], h.numbers.LocalSlotOrNone(uint32(s)))
		}
	}
	best, err := h.corpus().BestChunksInDocuments(ctx, phrasings, named)
	if err != nil {
		return nil, err
	}
	return h, v.readChunks(ctx, h, append(slots, best...))
}

// includeDocument adds the chunks of a document to the postings.
func (v *view) includeDocument(e *lexical.QueryPostings, d *search.Document) {
	if first, ok := v.firstSlotOf(d); ok {
		e.IncludeChunks(first, d.SlotRange.Count)
	}
}

// corpus returns the corpus to be ranked.
func (h *candidateWindow) corpus() *ranking.Corpus {
	return &ranking.Corpus{ChunkSource: h, Postings: h.postings, Vectors: windowVectors{h}, HasSemanticVectors: h.store.ModelProperties.Semantic, VectorWeight: h.store.ModelProperties.Weight}
}

// readChunks fetches the chunks at the given slots, with their vectors if those are by a model.
func (v *view) readChunks(ctx context.Context, h *candidateWindow, slots []rank.Slot) error {
	wanted := make([][]uint32, len(h.libraries))
	for _, s := range slots {
		if _, known := h.chunks[s]; known || int(s) >= len(h.numbers.Slots()) {
			continue
		}
		i, own := h.libraryAt(h.numbers.Slots()[s])
		wanted[i] = append(wanted[i], own)
	}
	for i, l := range h.libraries {
		if len(wanted[i]) == 0 {
			continue
		}
		all, err := l.Passages(ctx, v.snapshot, wanted[i])
		if err != nil {
			return err
		}
		h.addChunks(i, all)
		if h.store.ModelProperties.IsWorthStoring() {
			if err := v.readVectors(ctx, h, i, all); err != nil {
				return err
			}
		}
	}
	return nil
}

// readVectors fetches the vectors of chunks by a model.
func (v *view) readVectors(ctx context.Context, h *candidateWindow, library int, of []postgres.Passage) error {
	keys := make([]catalog.EmbeddingKey, len(of))
	for i, p := range of {
		keys[i] = p.Key
	}
	found, err := h.libraries[library].FindVectorsInSnapshot(ctx, v.snapshot, keys)
	for _, p := range of {
		s := h.numbers.LocalSlotOrNone(h.bases[library] + p.Slot)
		if vec := found[p.Key]; vector.IsUnitVector(vec) {
			h.vectors[s] = vec
		}
	}
	return err
}

// addChunks adds the chunks of documents that the store has; other documents were just added or
// replaced.
func (h *candidateWindow) addChunks(library int, all []postgres.Passage) {
	for _, p := range all {
		d := h.documents.documentAt(h.libraries[library].folder, p.Slot)
		if d == nil {
			continue
		}
		s, c := h.numbers.LocalSlotOrNone(h.bases[library]+p.Slot), chunkOf(d, p)
		h.chunks[s], h.sketches[s] = &c, p.BuiltinVector
	}
}

// hashAt returns the content hash of the chunk at a slot in the numbering of all libraries, if it
// was fetched.
func (h *candidateWindow) hashAt(s rank.Slot) (w rank.ChunkTextHash, ok bool) {
	if c := h.chunks[h.numbers.LocalSlotOrNone(uint32(s))]; c != nil {
		return c.ContentHash, true
	}
	return w, false
}

// onlyFetched returns the filter for those slots of keep whose chunks were fetched.
func (h *candidateWindow) onlyFetched(keep admittedSlots) rank.Filter {
	f := rank.NewFilter(h.postings.Slots())
	for s := range h.chunks {
		if keep.has(h.numbers.Slots()[s]) {
			f.Add(s)
		}
	}
	return f
}

// Chunk implements ranking.ChunkSource.
func (h *candidateWindow) Chunk(s rank.Slot) *search.Chunk {
	c := h.chunks[s]
	if c == nil { // in the postings, but deleted
		h.lost = true
		return &search.Chunk{Document: new(search.Document)}
	}
	return c
}

// ContentHash implements ranking.ChunkSource.
func (h *candidateWindow) ContentHash(s rank.Slot) rank.ChunkTextHash { return h.Chunk(s).ContentHash }

// Compare implements ranking.ChunkSource.
func (h *candidateWindow) Compare(a, b rank.Slot) int { return h.Chunk(a).CompareLocation(h.Chunk(b)) }

// DocumentSlotsOf implements ranking.ChunkSource.
func (h *candidateWindow) DocumentSlotsOf(s rank.Slot) []rank.Slot {
	all := h.numbers.Slots()
	if int(s) >= len(all) {
		return []rank.Slot{s}
	}
	d := h.documentAt(all[s])
	if d == nil {
		return []rank.Slot{s}
	}
	slots := make([]rank.Slot, d.SlotRange.Count)
	for n := range slots {
		slots[n] = h.slotOfChunk(d, n)
	}
	return slots
}

// slotOfChunk returns the local slot of a chunk of a document.
func (h *candidateWindow) slotOfChunk(d *search.Document, number int) rank.Slot {
	if first, ok := h.firstSlotOf(d); ok {
		return h.numbers.LocalSlotOrNone(first + uint32(number))
	}
	return rank.Slot(len(h.numbers.Slots()))
}

// localSlots returns the local slots for slots in the numbering of all libraries.
func (h *candidateWindow) localSlots(all []uint32) []rank.Slot {
	slots := make([]rank.Slot, len(all))
	for i, s := range all {
		slots[i] = h.numbers.LocalSlotOrNone(s)
	}
	return slots
}

// CountDirectories implements ranking.ChunkSource.
func (h *candidateWindow) CountDirectories() (n int) {
	h.store.ReadLocked(func(docs *live.Documents) { n = docs.CountDirectories() })
	return n
}

// CountInDirectory implements ranking.ChunkSource.
func (h *candidateWindow) CountInDirectory(d *search.Document) (n int) {
	h.store.ReadLocked(func(docs *live.Documents) { n = docs.CountInDirectory(d) })
	return n
}
