package live

import (
	"cmp"
	"iter"
	"math/bits"
	"slices"

	"vademecum/index/search"
)

// missingVectors records which chunks have no vector, by document and chunk number.
type missingVectors struct {
	unembedded       map[*search.Document]ChunkSet
	unembeddedChunks int // number of chunks without a vector
}

// ChunkSet is a bit set of chunk numbers of a document.
type ChunkSet []uint64

// FullChunkSet returns the set of the chunk numbers below count.
func FullChunkSet(count int) ChunkSet {
	c := make(ChunkSet, (count+63)/64)
	for n := range count {
		c.add(n)
	}
	return c
}

// Add adds the number of a chunk of a document with chunkCount chunks, and returns the set. The receiver
// may be nil.
func (c ChunkSet) Add(chunkNumber, chunkCount int) ChunkSet {
	if c == nil {
		c = make(ChunkSet, (chunkCount+63)/64)
	}
	c.add(chunkNumber)
	return c
}

func (c ChunkSet) add(number int) { c[number/64] |= 1 << (number % 64) }

// has reports whether the chunk with number n is in the set.
func (c ChunkSet) has(n int) bool { return n/64 < len(c) && c[n/64]>>(n%64)&1 == 1 }

func (c ChunkSet) len() (n int) {
	for _, word := range c {
		n += bits.OnesCount64(word)
	}
	return n
}

// SetUnembedded records which chunks of a document have no vector. The set must not be used
// afterwards.
func (m *missingVectors) SetUnembedded(d *search.Document, unembedded ChunkSet) {
	if len(unembedded) == 0 && len(m.unembedded) == 0 {
		return
	}
	n := unembedded.len()
	m.unembeddedChunks += n - m.unembedded[d].len()
	if n == 0 {
		delete(m.unembedded, d)
		return
	}
	m.unembedded[d] = unembedded
}

// MarkUnembedded records that another chunk of a document has no vector.
func (m *missingVectors) MarkUnembedded(d *search.Document, number int) {
	m.unembeddedChunks -= m.unembedded[d].len()
	m.unembedded[d] = m.unembedded[d].Add(number, d.CountChunks())
	m.unembeddedChunks += m.unembedded[d].len()
}

// MarkEmbedded records that a chunk of a document has a vector.
func (m *missingVectors) MarkEmbedded(d *search.Document, number int) {
	unembedded := m.unembedded[d]
	if !unembedded.has(number) {
		return
	}
	unembedded[number/64] &^= 1 << (number % 64)
	m.unembeddedChunks--
	if unembedded.len() == 0 {
		delete(m.unembedded, d)
	}
}

// IsUnembedded reports whether a chunk of a document has no vector.
func (m *missingVectors) IsUnembedded(d *search.Document, number int) bool {
	return m.unembedded[d].has(number)
}

// Unembedded yields the documents of a folder that have chunks without a vector, in no particular
// order. The caller may call MarkEmbedded for the yielded documents.
func (m *missingVectors) Unembedded(folder int) iter.Seq[*search.Document] {
	return func(yield func(*search.Document) bool) {
		for d := range m.unembedded {
			if d.Folder == folder && !yield(d) {
				return
			}
		}
	}
}

// TakeFrom adds a document of another Documents, with its unembedded chunks. The document must not have
// been returned to readers yet.
func (m *Documents) TakeFrom(from *Documents, d *search.Document) {
	m.SetUnembedded(d, from.unembedded[d])
	m.Put(d)
}

// move replaces a document by one with the same chunks.
func (m *missingVectors) move(old, d *search.Document) {
	if unembedded, ok := m.unembedded[old]; ok {
		delete(m.unembedded, old)
		m.unembedded[d] = unembedded
	}
}

// CountMissingVectors returns the number of chunks of a folder without a vector.
func (m *missingVectors) CountMissingVectors(folder int) (total int) {
	for d := range m.Unembedded(folder) {
		total += m.unembedded[d].len()
	}
	return total
}

// CountAllMissingVectors returns the number of chunks of all documents without a vector.
func (m *missingVectors) CountAllMissingVectors() int { return m.unembeddedChunks }

// CountMissingVectors returns the number of chunks of a folder without a vector.
func (st *Store) CountMissingVectors(folder int) int {
	return readLocked(st, func(docs *Documents) int { return docs.CountMissingVectors(folder) })
}

// chunksToEmbed yields the numbers of the chunks of a document that need to be embedded. It must be
// called within ReadLocked.
func (st *Store) chunksToEmbed(docs *Documents, d *search.Document) iter.Seq[int] {
	return func(yield func(int) bool) {
		unembedded := docs.unembedded[d]
		for n := range 64 * len(unembedded) {
			if unembedded.has(n) && st.EmbeddingRefusal(d, n) == "" && !yield(n) {
				return
			}
		}
	}
}

// hasChunksToEmbed reports whether any chunk of a document needs to be embedded. It must be called
// within ReadLocked.
func (st *Store) hasChunksToEmbed(docs *Documents, d *search.Document) bool {
	for range st.chunksToEmbed(docs, d) {
		return true
	}
	return false
}

// DocumentsToEmbed returns the documents with chunks to embed, folder by folder, starting with the
// folder of the newest document, and newest first in each folder.
func (st *Store) DocumentsToEmbed() []*search.Document {
	all := readLocked(st, func(docs *Documents) (all []*search.Document) {
		for d := range docs.unembedded {
			if st.hasChunksToEmbed(docs, d) {
				all = append(all, d)
			}
		}
		return all
	})
	slices.SortFunc(all, func(a, b *search.Document) int {
		return cmp.Or(b.Modified().Compare(a.Modified()), cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.ID, b.ID))
	})
	place := make(map[int]int)
	for i, d := range all {
		if _, seen := place[d.Folder]; !seen {
			place[d.Folder] = i
		}
	}
	slices.SortStableFunc(all, func(a, b *search.Document) int { return cmp.Compare(place[a.Folder], place[b.Folder]) })
	return all
}

// HasPendingChunks reports whether any chunk needs to be embedded in the folders for which isIn returns true.
func (st *Store) HasPendingChunks(isIn func(folder int) bool) bool {
	return readLocked(st, func(docs *Documents) bool {
		for d := range docs.unembedded {
			if isIn(d.Folder) && st.hasChunksToEmbed(docs, d) {
				return true
			}
		}
		return false
	})
}

// CountPendingChunks returns how many chunks of the given documents need to be embedded.
func (st *Store) CountPendingChunks(documents []*search.Document) int {
	return readLocked(st, func(docs *Documents) int {
		total := 0
		for _, d := range documents {
			for range st.chunksToEmbed(docs, d) {
				total++
			}
		}
		return total
	})
}
