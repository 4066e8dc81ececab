package live

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/index/ranking"
	"vademecum/index/search"
)

// Documents holds the properties of documents that are available without reading catalogues. It may
// be read within Store.ReadLocked, and changed within Store.Update. Documents that were returned to
// readers are never changed.
type Documents struct {
	documentNumbers                              // finds documents by location and metadata
	missingVectors                               // records which chunks lack a vector
	decomposed      map[search.Location][]string // by composed location, the paths in other forms, sorted
	directories     map[ranking.Directory]int    // number of searchable documents in each directory
	folders         map[int]FolderCounts
	searchable      int // number of documents with text
	chunks          int
}

// FolderCounts counts the documents of a folder.
type FolderCounts struct {
	Documents         int // including those without text
	UnrecognisedPages int // scanned pages whose text is not recognised
}

// NewDocuments returns an empty Documents with capacity for a number of documents.
func NewDocuments(capacity int) *Documents {
	return &Documents{
		documentNumbers: newDocumentNumbers(capacity),
		missingVectors:  missingVectors{unembedded: make(map[*search.Document]ChunkSet)},
		decomposed:      make(map[search.Location][]string),
		directories:     make(map[ranking.Directory]int),
		folders:         make(map[int]FolderCounts),
	}
}

// CountChunks returns the number of chunks of all documents.
func (m *Documents) CountChunks() int { return m.chunks }

// IsEmpty reports whether there are no documents.
func (m *Documents) IsEmpty() bool { return m.places.count == 0 }

// InFolder yields the documents of the folder with a number.
func (m *Documents) InFolder(folder int) func(yield func(*search.Document) bool) {
	return func(yield func(*search.Document) bool) {
		for d := range m.All {
			if d.Folder == folder && !yield(d) {
				return
			}
		}
	}
}

// CountDirectories returns the number of directories with a searchable document.
func (m *Documents) CountDirectories() int { return len(m.directories) }

// CountInDirectory returns the number of searchable documents in the directory of a document.
func (m *Documents) CountInDirectory(d *search.Document) int {
	return m.directories[ranking.DirectoryOf(d)]
}

// count adds by, 1 or -1, to the counts of documents that d belongs to.
func (m *Documents) count(d *search.Document, by int) {
	m.chunks += by * d.CountChunks()
	n := m.folders[d.Folder]
	n.Documents += by
	n.UnrecognisedPages += by * (extract.UnrecognisedPageCount(d.ExtractionNote) + extract.UnrecognisedPageCount(d.SkipReason))
	m.folders[d.Folder] = n
	if d.SkipReason != "" {
		return
	}
	m.searchable += by
	at := ranking.DirectoryOf(d)
	if m.directories[at] += by; m.directories[at] <= 0 {
		delete(m.directories, at)
	}
}

// DocumentsIn returns the documents of a folder whose paths isIn accepts, in no particular order.
func (st *Store) DocumentsIn(folder int, isIn func(path string) bool) []*search.Document {
	return readLocked(st, func(docs *Documents) (found []*search.Document) {
		for d := range docs.InFolder(folder) {
			if isIn(d.Path) {
				found = append(found, d)
			}
		}
		return found
	})
}

// AnyPath matches all paths of a folder, for DocumentsIn.
func AnyPath(string) bool { return true }

// All returns the documents by number, which is the order in which they were added unless some
// replaced others.
func (st *Store) All() []*search.Document {
	return readLocked(st, func(docs *Documents) []*search.Document {
		return slices.AppendSeq(make([]*search.Document, 0, docs.places.count), docs.All)
	})
}

// Document returns a document by its location.
func (st *Store) Document(at search.Location) (*search.Document, bool) {
	d := readLocked(st, func(docs *Documents) *search.Document { return docs.DocumentAt(at) })
	return d, d != nil
}

// AnySearchable reports whether accepts returns true for any searchable document.
func (st *Store) AnySearchable(accepts func(*search.Document) bool) bool {
	return readLocked(st, func(docs *Documents) bool {
		for d := range docs.All {
			if d.SkipReason == "" && accepts(d) {
				return true
			}
		}
		return false
	})
}

// CountDocuments returns the number of searchable documents.
func (st *Store) CountDocuments() int {
	return readLocked(st, func(docs *Documents) int { return docs.searchable })
}

// CountFolder counts the documents of a folder.
func (st *Store) CountFolder(folder int) FolderCounts {
	return readLocked(st, func(docs *Documents) FolderCounts { return docs.folders[folder] })
}

// CountChunks returns the number of chunks of searchable documents, and how many of them have no
// vector. It is fast, because every response needs it.
func (st *Store) CountChunks() (all, unembedded int) {
	st.ReadLocked(func(docs *Documents) { all, unembedded = docs.chunks, docs.unembeddedChunks })
	return all, unembedded
}

// TextHashes returns the hashes of all searchable texts, and the number and the total size in bytes of
// the texts sent by clients, which are among them.
func (st *Store) TextHashes() (hashes map[[32]byte]bool, clientTexts, clientBytes int) {
	st.ReadLocked(func(docs *Documents) {
		hashes = make(map[[32]byte]bool, docs.places.count)
		for d := range docs.All {
			if d.SkipReason == "" {
				hashes[d.TextHash] = true
			}
			if d.Folder == search.NoFolder {
				clientTexts, clientBytes = clientTexts+1, clientBytes+int(d.Size)
			}
		}
	})
	return hashes, clientTexts, clientBytes
}
