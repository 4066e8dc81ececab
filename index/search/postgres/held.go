package postgres

import (
	"context"

	"vademecum/index/catalog"
	"vademecum/index/catalog/postgres"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/vector"
)

// held is what is at hand for a question: the lists of its terms, as an index with
// slots of its own, and of the chunks that were read, what they are.
type held struct {
	*asking
	postings *lexical.Index
	numbers  *lexical.Numbering
	bases    []uint32    // first slot of each library among those of all
	near     []rank.Slot // of chunks that a model's vectors have found
	chunks   map[rank.Slot]*search.Chunk
	sketches map[rank.Slot][]int16   // of these
	vectors  map[rank.Slot][]float32 // of a model
}

func (a *asking) hold(e *lexical.Excerpt) *held {
	h := &held{asking: a, chunks: make(map[rank.Slot]*search.Chunk), sketches: make(map[rank.Slot][]int16), vectors: make(map[rank.Slot][]float32)}
	h.postings, h.numbers = e.Index()
	for i := range a.libraries {
		h.bases = append(h.bases, e.Slot(i, 0))
	}
	return h
}

// read has chunks at hand.
func (a *asking) read(ctx context.Context, h *held, slots []rank.Slot) error {
	wanted := make([][]uint32, len(h.libraries))
	for _, s := range slots {
		if _, known := h.chunks[s]; known || int(s) >= len(h.numbers.Slots()) {
			continue
		}
		i, own := h.folderAt(h.numbers.Slots()[s])
		wanted[i] = append(wanted[i], own)
	}
	for i, l := range h.libraries {
		if len(wanted[i]) == 0 {
			continue
		}
		all, err := a.Passages(ctx, l.Catalog, wanted[i])
		if err != nil {
			return err
		}
		h.take(i, all)
		if !h.Builtin {
			if err := a.readVectors(ctx, h, i, all); err != nil {
				return err
			}
		}
	}
	return nil
}

// readVectors has the vectors of chunks at hand that a model gave.
func (a *asking) readVectors(ctx context.Context, h *held, library int, of []postgres.Passage) error {
	keys := make([]catalog.Key, len(of))
	for i, p := range of {
		keys[i] = p.Key
	}
	found, err := a.Vectors(ctx, h.libraries[library].Catalog, keys)
	for _, p := range of {
		s := h.numbers.Of(h.bases[library] + p.Slot)
		if vec := found[p.Key]; vector.IsUnit(vec) {
			h.vectors[s] = vec
		} else if c := h.chunks[s]; c != nil {
			c.Bare = true
		}
	}
	return err
}

// take keeps chunks of documents that are known: others were written, or replaced, a
// moment ago.
func (h *held) take(library int, all []postgres.Passage) {
	for _, p := range all {
		d := h.documents.at(h.libraries[library].folder, p.Slot)
		if d == nil {
			continue
		}
		s, c := h.numbers.Of(h.bases[library]+p.Slot), chunkOf(d, p)
		h.chunks[s], h.sketches[s] = &c, p.Sketch
	}
}

// wording is what a chunk says, where it is at hand.
func (h *held) wording(s rank.Slot) (w rank.Wording, ok bool) {
	if c := h.chunks[s]; c != nil {
		return c.Wording, true
	}
	return w, false
}

// admitted are the slots of the documents that are meant; nil: all.
func (h *held) admitted(only search.Filter) rank.Filter {
	if only.AdmitsAll() {
		return nil
	}
	f := rank.NewFilter(h.postings.Slots())
	bases := make(map[int]uint32, len(h.libraries))
	for i, l := range h.libraries {
		bases[l.folder] = h.bases[i]
	}
	none := rank.Slot(len(h.numbers.Slots()))
	for _, d := range h.Admitted(only) {
		base, ok := bases[d.Folder]
		for n := range d.Run.Count {
			if s := h.numbers.Of(base + d.Run.First + n); ok && s != none {
				f.Add(s)
			}
		}
	}
	return f
}

// fetched are those of the slots to keep whose chunks are at hand.
func (h *held) fetched(keep rank.Filter) rank.Filter {
	f := rank.NewFilter(h.postings.Slots())
	for s := range h.chunks {
		if keep.Has(s) {
			f.Add(s)
		}
	}
	return f
}

// Chunk is that of match.Holder.
func (h *held) Chunk(s rank.Slot) *search.Chunk { return h.chunks[s] }

// Wording is that of match.Holder.
func (h *held) Wording(s rank.Slot) rank.Wording { return h.chunks[s].Wording }

// Compare is that of match.Holder.
func (h *held) Compare(a, b rank.Slot) int { return h.chunks[a].ComparePlace(h.chunks[b]) }

// SlotsOf is that of match.Holder. Chunks that have no term of the question share a
// slot at which nothing is.
func (h *held) SlotsOf(s rank.Slot) []rank.Slot {
	d := h.documentAt(s)
	if d == nil {
		return []rank.Slot{s}
	}
	slots := make([]rank.Slot, d.Run.Count)
	for n := range slots {
		slots[n] = h.slot(d, n)
	}
	return slots
}

// slot is that of a chunk of a document.
func (h *held) slot(d *search.Document, number int) rank.Slot {
	for i, l := range h.libraries {
		if l.folder == d.Folder {
			return h.numbers.Of(h.bases[i] + d.Run.First + uint32(number))
		}
	}
	return rank.Slot(len(h.numbers.Slots()))
}

// Directories is that of match.Holder.
func (h *held) Directories() int { return h.CountDirectories() }

// Together is that of match.Holder.
func (h *held) Together(d *search.Document) int { return h.CountTogether(d) }
