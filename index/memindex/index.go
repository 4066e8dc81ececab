// Package memindex is the index in memory: it holds chunks with their postings and vectors, and
// ranks them for queries. It saves its content for a folder in a snapshot file beside the
// catalogue, and loads that at the next start.
package memindex

import (
	"context"
	"fmt"
	"slices"

	"vademecum/docs/kind"
	"vademecum/embed"
	"vademecum/index/lexical"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/vector"
)

// Index holds the chunks of the documents in a Store. It is guarded by the lock of the Store, and
// so is safe for concurrent use.
type Index struct {
	store    *live.Store
	refusals *live.Refusals[catalog.EmbeddingKey]
	snapshots
	contents
}

var _ live.ChunkIndex = (*Index)(nil)

// contents holds the searchable structures: chunks, postings and vectors.
type contents struct {
	chunks   []search.Chunk // by slot
	begins   []uint16       // hashPrefix of each chunk, by slot
	free     []rank.Slot
	postings *lexical.Index
	vectors  *vector.GrowingIndex
}

func newContents(p vector.Precision) contents {
	return contents{postings: lexical.New(), vectors: vector.New(p)}
}

// New returns a Store for folderCount folders whose chunks are held in memory.
func New(folderCount int, e embed.Embedder) *live.Store { return live.New(folderCount, e, open) }

// open returns an empty Index for the chunks of a Store, as live.New requires.
func open(st *live.Store) live.ChunkIndex {
	return &Index{store: st, refusals: new(live.Refusals[catalog.EmbeddingKey]), contents: newContents(precisionFor(st.ModelProperties))}
}

// precisionFor returns the precision to which the vectors of a model are quantized. 4 bits suffice
// for vectors that contribute at most a tenth of a score: when ranking by the built-in vectors
// alone, three of four collections and the real folders rank as with floats, and in the fourth, the
// passage of one query in 248 is one place lower.
func precisionFor(p embed.Properties) vector.Precision {
	if p.Weight <= 0.1 {
		return vector.Precision4Bits
	}
	return vector.Precision16Bits
}

// NewForStore implements live.ChunkIndex.
func (ix *Index) NewForStore(st *live.Store) (chunks live.ChunkIndex, takeOver func()) {
	fresh := &Index{store: st, refusals: ix.refusals, contents: newContents(precisionFor(st.ModelProperties))}
	return fresh, func() { ix.contents = fresh.contents }
}

// Insert implements live.ChunkIndex.
func (ix *Index) Insert(docs *live.Documents, d *search.Document, chunks []catalog.Chunk, vectors map[catalog.EmbeddingKey][]float32) error {
	d.SlotRange = lexical.SlotRange{} // the chunks get slots of this Index instead
	if n := len(chunks); n > 0 {
		d.Slots = make([]rank.Slot, 0, n)
	}
	var unembedded live.ChunkSet
	for i, one := range chunks {
		s, err := ix.newSlot()
		if err != nil {
			return err
		}
		if err := ix.postings.Put(s, one.Terms); err != nil {
			return err
		}
		if vec := vectors[one.Key]; !vector.CanCompare(ix.vectors, vec) {
			unembedded = unembedded.Add(i, len(chunks))
		} else if err := ix.vectors.Put(s, vec); err != nil {
			return err
		}
		ix.chunks[s] = search.Chunk{Document: d, Number: i, Span: one.Span, Heading: one.Heading, Key: one.Key, ContentHash: one.ContentHash, Traits: one.Traits}
		ix.begins[s] = hashPrefix(one.ContentHash)
		d.Slots = append(d.Slots, s)
	}
	docs.SetUnembedded(d, unembedded)
	return nil
}

var errFull = fmt.Errorf("the index is full: it holds %d chunks", lexical.MaxSlots)

func (ix *Index) newSlot() (rank.Slot, error) {
	if n := len(ix.free); n > 0 {
		s := ix.free[n-1]
		ix.free = ix.free[:n-1]
		return s, nil
	}
	if len(ix.chunks) == lexical.MaxSlots {
		return 0, errFull
	}
	ix.chunks, ix.begins = append(ix.chunks, search.Chunk{}), append(ix.begins, 0)
	if len(ix.chunks) == live.ManyChunksThreshold {
		live.SetGCPercent(growthWhileIndexing)
	}
	return rank.Slot(len(ix.chunks) - 1), nil
}

// growth is the garbage collection target (GOGC, in percent) of an index with many chunks. It is
// lower while chunks are added, when most memory is in use.
const (
	growth              = 30
	growthWhileIndexing = 15
)

// Delete implements live.ChunkIndex.
func (ix *Index) Delete(_ *live.Documents, d *search.Document) {
	for _, s := range d.Slots {
		ix.postings.Delete(s)
		ix.vectors.Delete(s)
		ix.chunks[s] = search.Chunk{}
	}
	ix.free = append(ix.free, ix.postings.Compact()...)
}

// Move implements live.ChunkIndex.
func (ix *Index) Move(_, d *search.Document) {
	for _, s := range d.Slots {
		ix.chunks[s].Document = d
	}
}

// chunkAt returns the chunk in a slot, or an empty chunk beyond the last slot.
func (c *contents) chunkAt(s rank.Slot) *search.Chunk {
	if int(s) >= len(c.chunks) {
		return &search.Chunk{}
	}
	return &c.chunks[s]
}

// chunkOf returns a chunk of a document by its number, or nil if the document is gone.
func (c *contents) chunkOf(d *search.Document, number int) *search.Chunk {
	if number >= len(d.Slots) {
		return nil
	}
	if one := c.chunkAt(d.Slots[number]); one.Document == d {
		return one
	}
	return nil
}

// Find implements live.ChunkIndex.
func (ix *Index) Find(_ context.Context, numbers map[*search.Document][]int) (map[*search.Document][]search.Chunk, error) {
	found := make(map[*search.Document][]search.Chunk, len(numbers))
	ix.store.ReadLocked(func(*live.Documents) {
		for d, some := range numbers {
			for _, n := range some {
				if c := ix.chunkOf(d, n); c != nil {
					found[d] = append(found[d], *c)
				}
			}
		}
	})
	return found, nil
}

// IsMachineGenerated implements live.ChunkIndex.
func (ix *Index) IsMachineGenerated(d *search.Document) (generated bool) {
	ix.store.ReadLocked(func(*live.Documents) {
		c := ix.chunkOf(d, 0)
		generated = c != nil && c.Traits.Kind == kind.GeneratedFile
	})
	return generated
}

// ChunksFitText implements live.ChunkIndex. Chunks that come from a snapshot may not fit their document.
func (ix *Index) ChunksFitText(d *search.Document, text string) (fits bool) {
	ix.store.ReadLocked(func(*live.Documents) {
		fits = true
		for n := range d.Slots {
			if c := ix.chunkOf(d, n); c != nil && c.Span.EndByte > len(text) {
				fits = false
				return
			}
		}
	})
	return fits
}

// TrimCapacity implements live.ChunkIndex. It does not affect search results.
func (ix *Index) TrimCapacity() {
	_ = ix.store.Update(func(*live.Documents) error { // never fails
		ix.postings.TrimCapacity()
		if cap(ix.chunks) > len(ix.chunks)+len(ix.chunks)/8 {
			ix.chunks, ix.begins = slices.Clone(ix.chunks), slices.Clone(ix.begins)
		}
		if len(ix.chunks) >= live.ManyChunksThreshold {
			live.SetGCPercent(growth)
		}
		return nil
	})
}
