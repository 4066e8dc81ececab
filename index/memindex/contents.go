package memindex

import (
	"fmt"

	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// ChunkContents is a chunk with everything that an Index holds about it.
type ChunkContents struct {
	search.Chunk
	Terms  map[string]int
	Vector []float32 // nil if there is none
}

// Contents returns the chunks of each document, for tests that look for inconsistencies. faults
// describes entries that belong to no document, and totals that are wrong.
func (ix *Index) Contents() (all map[*search.Document][]ChunkContents, faults []string) {
	ix.store.ReadLocked(func(docs *live.Documents) {
		all = make(map[*search.Document][]ChunkContents)
		terms, odd := ix.postings.Contents()
		faults = append(append(odd, ix.contents.vectors.FindInconsistencies()...), ix.strayFaults(docs, terms)...)
		for d := range docs.All {
			all[d] = nil
			for _, s := range d.Slots {
				all[d] = append(all[d], ChunkContents{*ix.chunkAt(s), terms[s], ix.contents.vectors.VectorAt(s)})
			}
		}
	})
	return all, faults
}

// strayFaults describes postings, chunks and vectors that belong to no document, and wrong totals.
// The caller must hold the lock of the store for reading.
func (c *contents) strayFaults(docs *live.Documents, terms map[rank.Slot]map[string]int) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	for s := range terms {
		if c.chunkAt(s).Document == nil {
			fault("postings belong to no document (slot %d)", s)
		}
	}
	chunks, vectors, unembedded := 0, 0, 0
	for i := range c.chunks {
		s, one := rank.Slot(i), &c.chunks[i]
		d, hasVector := one.Document, c.vectors.VectorAt(s) != nil
		if hasVector {
			vectors++
		}
		if d == nil {
			if hasVector {
				fault("the vector at slot %d belongs to no document", s)
			}
			continue
		}
		chunks++
		isUnembedded := docs.IsUnembedded(d, one.Number)
		if isUnembedded {
			unembedded++
		}
		if isUnembedded == hasVector {
			fault("the chunk at slot %d has a vector: %t, and counts as unembedded: %t", s, hasVector, isUnembedded)
		}
		if docs.DocumentAt(d.Location()) != d || one.Number >= len(d.Slots) || d.Slots[one.Number] != s {
			fault("slot %d holds a chunk of %s that is not its", s, d.Path)
		}
	}
	if n := c.vectors.Len(); n != vectors {
		fault("%d vectors are counted, there are %d", n, vectors)
	}
	if n := c.postings.Len(); n != chunks || docs.CountChunks() != chunks {
		fault("the postings count %d chunks, the documents %d, there are %d", n, docs.CountChunks(), chunks)
	}
	if n := docs.CountAllMissingVectors(); n != unembedded {
		fault("%d chunks are counted as unembedded, %d are", n, unembedded)
	}
	return faults
}
