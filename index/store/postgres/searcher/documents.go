package searcher

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"vademecum/index/live"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres"
)

// slotTable finds documents by the slots of their chunks. It is rebuilt when documents have
// changed.
type slotTable struct {
	mu   sync.Mutex
	made bool
	at   uint64 // change number of the store when the table was built
	last *documentsBySlot
}

func (t *slotTable) documentsFor(st *live.Store) *documentsBySlot {
	t.mu.Lock()
	defer t.mu.Unlock()
	if now := st.ChangeNumber(); !t.made || now != t.at {
		t.made, t.at, t.last = true, now, documentsBySlotOf(st)
	}
	return t.last
}

// documentsBySlot holds the documents of each folder that have chunks, in the order of their slots.
type documentsBySlot struct {
	folders [][]*search.Document
	damage  error // set if two documents have the same slots; nil otherwise
}

func documentsBySlotOf(st *live.Store) *documentsBySlot {
	d := &documentsBySlot{folders: make([][]*search.Document, len(st.Followers()))}
	all := slices.DeleteFunc(st.All(), func(one *search.Document) bool { return one.SlotRange.Count == 0 })
	inPlace := func(a, b *search.Document) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), compareSlots(a.SlotRange.First, b.SlotRange.First))
	}
	if !slices.IsSortedFunc(all, inPlace) { // usually they are in this order
		slices.SortFunc(all, inPlace)
	}
	for folder := range d.folders {
		end, _ := slices.BinarySearchFunc(all, folder+1, func(one *search.Document, folder int) int { return cmp.Compare(one.Folder, folder) })
		d.folders[folder], all = all[:end], all[end:]
		d.damage = errors.Join(d.damage, checkSlots(d.folders[folder]))
	}
	return d
}

// checkSlots returns an error if a document begins before the previous one ends.
func checkSlots(all []*search.Document) error {
	for i, d := range all[min(1, len(all)):] {
		if before := all[i]; uint64(before.SlotRange.First)+uint64(before.SlotRange.Count) > uint64(d.SlotRange.First) {
			return fmt.Errorf("the passages of %s and %s are the same: %w", before.Path, d.Path, catalog.ErrDamaged)
		}
	}
	return nil
}

func compareSlots(a, b uint32) int { return int(int64(a) - int64(b)) }

// documentAt returns the document with a chunk at the given slot; nil if there is none.
func (d *documentsBySlot) documentAt(folder int, slot uint32) *search.Document {
	all := d.folders[folder]
	n, found := slices.BinarySearchFunc(all, slot, func(one *search.Document, slot uint32) int { return compareSlots(one.SlotRange.First, slot) })
	if !found {
		n--
	}
	if n < 0 || slot-all[n].SlotRange.First >= all[n].SlotRange.Count {
		return nil
	}
	return all[n]
}

func chunkOf(d *search.Document, p postgres.Passage) search.Chunk {
	return search.Chunk{Document: d, Number: int(p.Slot - d.SlotRange.First), Span: p.Span, Heading: p.Heading, Key: p.Key, ContentHash: p.ContentHash, Traits: p.Traits}
}

// admits returns a function that reports whether the filter admits a document.
func (v *view) admits(only search.Filter) func(*search.Document) bool {
	if only.MatchesAll() {
		return func(*search.Document) bool { return true }
	}
	all := make(map[search.Location]bool)
	for _, d := range v.store.Matching(only) {
		all[d.Location()] = true
	}
	return func(d *search.Document) bool { return all[d.Location()] }
}

// libraryAt returns the library of a slot in the numbering of all libraries, and the slot in that
// library.
func (v *view) libraryAt(slot uint32) (library int, own uint32) {
	for i := len(v.bases) - 1; ; i-- {
		if slot >= v.bases[i] {
			return i, slot - v.bases[i]
		}
	}
}

// documentAt returns the document with a chunk at a slot in the numbering of all libraries; nil if
// it is gone or not loaded yet.
func (v *view) documentAt(slot uint32) *search.Document {
	i, own := v.libraryAt(slot)
	return v.documents.documentAt(v.libraries[i].folder, own)
}

// firstSlotOf returns the slot of the first chunk of a document in the numbering of all libraries.
// ok reports whether the document is in a library and existed when the snapshot was taken.
func (v *view) firstSlotOf(d *search.Document) (first uint32, ok bool) {
	for i, l := range v.libraries {
		if l.folder == d.Folder {
			return v.bases[i] + d.SlotRange.First, uint64(d.SlotRange.First)+uint64(d.SlotRange.Count) <= uint64(v.wholes[i].AssignedSlots)
		}
	}
	return 0, false
}
