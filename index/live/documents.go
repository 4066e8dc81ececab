package live

import (
	"context"
	"slices"

	"vademecum/index/search"
)

// DocumentsIn lists the documents of one folder, those of which the path is in, in no
// order.
func (st *Store) DocumentsIn(folder int, in func(path string) bool) []*search.Document {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	var found []*search.Document
	for d := range st.Documents {
		if d.Folder == folder && in(d.Path) {
			found = append(found, d)
		}
	}
	return found
}

// Anywhere is all paths of a folder, for DocumentsIn.
func Anywhere(string) bool { return true }

// All lists the documents, in the order of their numbers: that in which they came, unless
// some took the places of others.
func (st *Store) All() []*search.Document {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	all := make([]*search.Document, 0, st.places.count)
	return slices.AppendSeq(all, st.Documents)
}

// Document finds one by its location.
func (st *Store) Document(at search.Location) (*search.Document, bool) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	d := st.At(at)
	return d, d != nil
}

// Any tells whether there is a searchable document that ok says yes of.
func (st *Store) Any(ok func(*search.Document) bool) bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	for d := range st.Documents {
		if d.Skip == "" && ok(d) {
			return true
		}
	}
	return false
}

// IsAny tells whether one of the documents that are meant is searchable.
func (st *Store) IsAny(meant search.Filter) bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	for d := range st.admitted(meant) {
		if d.Skip == "" {
			return true
		}
	}
	return false
}

// Written is another number whenever memory has changed.
func (st *Store) Written() uint64 {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.written
}

// CountDocuments counts those that are searchable, once after each change: who looks
// at an index asks all the time.
func (st *Store) CountDocuments() int {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	if last := st.searchable.Load(); last != nil && last.written == st.written {
		return last.documents
	}
	n := 0
	for d := range st.Documents {
		if d.Skip == "" {
			n++
		}
	}
	st.searchable.Store(&searchable{st.written, n})
	return n
}

// searchable is how many documents were that after so many changes.
type searchable struct {
	written   uint64
	documents int
}

// CountChunks counts those that are searchable, and of them the bare ones. Every
// answer asks.
func (st *Store) CountChunks() (all, bare int) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.Postings.Len() + st.elsewhere, st.Bare
}

// CountLanguages counts those that are searchable by the codes of their languages, ""
// where that is not known, as their first chunks have it.
func (st *Store) CountLanguages(ctx context.Context) (map[string]int, error) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	byCode := make(map[string]int)
	for d := range st.Documents {
		if d.Skip == "" && len(d.Slots) > 0 {
			byCode[st.chunkAt(d.Slots[0]).Mark.Language.Code()]++
		}
	}
	return byCode, ctx.Err()
}

// TextHashes collects the hashes of all texts that are searchable, and counts
// those that clients sent, and their bytes.
func (st *Store) TextHashes() (have map[[32]byte]bool, held, size int) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	have = make(map[[32]byte]bool, st.places.count)
	for d := range st.Documents {
		if d.Skip == "" {
			have[d.TextHash] = true
		}
		if d.Folder == search.NoFolder {
			held, size = held+1, size+int(d.Size)
		}
	}
	return have, held, size
}
