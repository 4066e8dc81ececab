package postgres

import (
	"slices"
	"sync"

	"vademecum/index/catalog/postgres"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// table finds documents by the slots of their chunks. It is made anew when documents
// have changed.
type table struct {
	mu   sync.Mutex
	made bool
	at   uint64 // state of the store
	last *documents
}

func (t *table) of(st *live.Store) *documents {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := st.Written(); !t.made || now != t.at {
		t.made, t.at, t.last = true, now, documentsOf(st)
	}
	return t.last
}

// documents are those of each folder that have chunks, in the order of their slots.
type documents struct{ folders [][]*search.Document }

func documentsOf(st *live.Store) *documents {
	d := &documents{make([][]*search.Document, len(st.Followers))}
	for _, one := range st.All() {
		if one.Run.Count > 0 {
			d.folders[one.Folder] = append(d.folders[one.Folder], one)
		}
	}
	for _, all := range d.folders {
		slices.SortFunc(all, func(a, b *search.Document) int { return compare(a.Run.First, b.Run.First) })
	}
	return d
}

func compare(a, b uint32) int { return int(int64(a) - int64(b)) }

// at is the document that has a chunk at a slot, nil when there is none.
func (d *documents) at(folder int, slot uint32) *search.Document {
	all := d.folders[folder]
	n, found := slices.BinarySearchFunc(all, slot, func(one *search.Document, slot uint32) int { return compare(one.Run.First, slot) })
	if !found {
		n--
	}
	if n < 0 || slot-all[n].Run.First >= all[n].Run.Count {
		return nil
	}
	return all[n]
}

func chunkOf(d *search.Document, p postgres.Passage) search.Chunk {
	return search.Chunk{Document: d, Number: int(p.Slot - d.Run.First), Span: p.Span, Heading: p.Heading, Key: p.Key, Wording: p.Wording, Mark: p.Mark}
}

// meant tells of a document whether a filter admits it.
func (a *asking) meant(only search.Filter) func(*search.Document) bool {
	if only.AdmitsAll() {
		return func(*search.Document) bool { return true }
	}
	all := make(map[search.Location]bool)
	for _, d := range a.Admitted(only) {
		all[d.At()] = true
	}
	return func(d *search.Document) bool { return all[d.At()] }
}

// folderAt finds the library that has a slot of all, and the slot in it.
func (h *held) folderAt(slot uint32) (library int, own uint32) {
	for i := len(h.bases) - 1; ; i-- {
		if slot >= h.bases[i] {
			return i, slot - h.bases[i]
		}
	}
}

// documentAt is the document that has a chunk at a slot of the excerpt, nil when it is
// gone or not known yet.
func (h *held) documentAt(s rank.Slot) *search.Document {
	all := h.numbers.Slots()
	if int(s) >= len(all) {
		return nil
	}
	i, own := h.folderAt(all[s])
	return h.documents.at(h.libraries[i].folder, own)
}
