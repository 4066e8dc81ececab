package live

import (
	"slices"

	"vademecum/index/ranking"
	"vademecum/index/search"
)

// Documents is what is known of documents without reading catalogues. It is as it stands
// within Store.Read, and may be changed within Store.Update. Documents that were handed out are
// never changed.
type Documents struct {
	documentNumbers                              // for what they say of themselves
	missingVectors                               // which of their chunks lack a vector
	decomposed      map[search.Location][]string // paths of those that are not composed, by the place that is; sorted
	directories     map[ranking.Directory]int    // searchable documents
	chunks          int
}

// NewDocuments makes an empty one with room for so many documents.
func NewDocuments(room int) *Documents {
	return &Documents{
		documentNumbers: newDocumentNumbers(room),
		missingVectors:  newMissing(),
		decomposed:      make(map[search.Location][]string),
		directories:     make(map[ranking.Directory]int),
	}
}

// CountChunks counts those of all documents.
func (m *Documents) CountChunks() int { return m.chunks }

// IsEmpty reports whether there is no document.
func (m *Documents) IsEmpty() bool { return m.places.count == 0 }

// InFolder yields the documents of a folder, in the order of their numbers.
func (m *Documents) InFolder(folder int) func(yield func(*search.Document) bool) {
	return func(yield func(*search.Document) bool) {
		for d := range m.All {
			if d.Folder == folder && !yield(d) {
				return
			}
		}
	}
}

// CountDirectories counts those that have a searchable document.
func (m *Documents) CountDirectories() int { return len(m.directories) }

// CountInDirectory counts the searchable documents in the directory of one.
func (m *Documents) CountInDirectory(d *search.Document) int {
	return m.directories[ranking.DirectoryOf(d)]
}

// countInDirectory counts a searchable document in its directory, or takes it out by -1.
func (m *Documents) countInDirectory(d *search.Document, by int) {
	if d.Skip != "" {
		return
	}
	at := ranking.DirectoryOf(d)
	if m.directories[at] += by; m.directories[at] <= 0 {
		delete(m.directories, at)
	}
}

// DocumentsIn lists the documents of one folder, those of which the path is in, in no
// order.
func (st *Store) DocumentsIn(folder int, in func(path string) bool) []*search.Document {
	return readLocked(st, func(docs *Documents) (found []*search.Document) {
		for d := range docs.InFolder(folder) {
			if in(d.Path) {
				found = append(found, d)
			}
		}
		return found
	})
}

// AnyPath is all paths of a folder, for DocumentsIn.
func AnyPath(string) bool { return true }

// All lists the documents, in the order of their numbers: that in which they came, unless
// some took the places of others.
func (st *Store) All() []*search.Document {
	return readLocked(st, func(docs *Documents) []*search.Document {
		return slices.AppendSeq(make([]*search.Document, 0, docs.places.count), docs.All)
	})
}

// Document finds one by its location.
func (st *Store) Document(at search.Location) (*search.Document, bool) {
	d := readLocked(st, func(docs *Documents) *search.Document { return docs.At(at) })
	return d, d != nil
}

// AnySearchable reports whether there is a searchable document that ok says yes of.
func (st *Store) AnySearchable(ok func(*search.Document) bool) bool {
	return readLocked(st, func(docs *Documents) bool {
		for d := range docs.All {
			if d.Skip == "" && ok(d) {
				return true
			}
		}
		return false
	})
}

// CountDocuments counts those that are searchable, once after each change: who looks
// at an index asks all the time.
func (st *Store) CountDocuments() int {
	return readLocked(st, func(docs *Documents) int {
		if last := st.searchable.Load(); last != nil && last.written == st.written {
			return last.documents
		}
		n := 0
		for d := range docs.All {
			if d.Skip == "" {
				n++
			}
		}
		st.searchable.Store(&searchableCount{st.written, n})
		return n
	})
}

// searchableCount is how many documents were that after so many changes.
type searchableCount struct {
	written   uint64
	documents int
}

// CountChunks counts those that are searchable, and of them those without a vector. Every
// answer asks.
func (st *Store) CountChunks() (all, unembedded int) {
	st.ReadLocked(func(docs *Documents) { all, unembedded = docs.chunks, docs.unembeddedChunks })
	return all, unembedded
}

// TextHashes collects the hashes of all texts that are searchable, and counts
// those that clients sent, and their bytes.
func (st *Store) TextHashes() (have map[[32]byte]bool, held, size int) {
	st.ReadLocked(func(docs *Documents) {
		have = make(map[[32]byte]bool, docs.places.count)
		for d := range docs.All {
			if d.Skip == "" {
				have[d.TextHash] = true
			}
			if d.Folder == search.NoFolder {
				held, size = held+1, size+int(d.Size)
			}
		}
	})
	return have, held, size
}
