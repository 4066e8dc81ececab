package live

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"

	"vademecum/index/catalog"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/vector"
)

// Pending lists the documents with bare chunks that are to be embedded, in the
// order in which they came.
func (st *Store) Pending() []*search.Document {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	var all []*search.Document
	for d := range st.incomplete {
		for range st.wanted(d) {
			all = append(all, d)
			break
		}
	}
	slices.SortFunc(all, func(a, b *search.Document) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// IsPending tells whether chunks of a folder are to be embedded.
func (st *Store) IsPending(folder int) bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	for d := range st.incomplete {
		if d.Folder != folder {
			continue
		}
		for range st.wanted(d) {
			return true
		}
	}
	return false
}

// CountPending is how many chunks of documents are to be embedded.
func (st *Store) CountPending(pending []*search.Document) int {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	total := 0
	for _, d := range pending {
		for range st.wanted(d) {
			total++
		}
	}
	return total
}

// wanted lists the numbers of the chunks of a document that are to be embedded.
func (st *Store) wanted(d *search.Document) iter.Seq[int] {
	return func(yield func(int) bool) {
		bare := st.lacking.bare[d]
		for n := range d.CountChunks() {
			s, isWanted := d.SlotOf(n), false
			if d.Run.Count > 0 {
				isWanted = bare.has(n) && st.refusals.at(d.Folder, s) == ""
			} else if c := st.chunkAt(s); c.Document == d {
				isWanted = c.Bare && !st.refusals.has(*c)
			}
			if isWanted && !yield(n) {
				return
			}
		}
	}
}

// bareIn lists the chunks of a folder that have no vector.
func (st *Store) bareIn(folder int) []Wanted {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	var all []Wanted
	for d := range st.incomplete {
		if d.Folder != folder {
			continue
		}
		for _, s := range d.Slots {
			if c := st.Chunks[s]; c.Bare {
				all = append(all, Wanted{Chunk: c, Slot: s})
			}
		}
	}
	return all
}

// CountUnembedded is how many chunks of a folder have no vector of the model that it is
// indexed with, for a Store of the built-in embedding: that has vectors for all of them.
func (st *Store) CountUnembedded(ctx context.Context, folder int) (n int, err error) {
	f := st.Follower(folder)
	if st.heads {
		c, err := f.embedding()
		if err != nil {
			return 0, err
		}
		bare, err := c.Bare(ctx, lexical.Run{Count: math.MaxUint32})
		return len(bare), err
	}
	var keys []catalog.Key
	st.Mu.RLock()
	for _, ch := range st.Chunks {
		if ch.Document != nil && ch.Document.Folder == folder {
			keys = append(keys, ch.Key)
		}
	}
	st.Mu.RUnlock()
	for some := range slices.Chunk(keys, catalog.PageRows) {
		vectors, err := f.Vectors().Find(ctx, some)
		if err != nil {
			return 0, fmt.Errorf("look up vectors: %w", err)
		}
		for _, key := range some {
			if _, there := vectors[key]; !there {
				n++
			}
		}
	}
	return n, nil
}

// CountBare is how many chunks of a folder have no vector.
func (st *Store) CountBare(folder int) int {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.bareOf(folder)
}

// bareOf is CountBare under the lock.
func (m *Memory) bareOf(folder int) int {
	total := 0
	for d, n := range m.incomplete {
		if d.Folder == folder {
			total += n
		}
	}
	return total
}

// countIn counts the chunks of a folder, and those that have a vector.
func (st *Store) countIn(folder int) (chunks, vectors int) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	for _, d := range st.numbered {
		if d != nil && d.Folder == folder {
			chunks += d.CountChunks()
		}
	}
	return chunks, chunks - st.bareOf(folder)
}

// BareOf lists the chunks of documents that are to be embedded, those of each document
// together; whole is false when another process has put another document in the place
// of one.
func (st *Store) BareOf(ctx context.Context, of ...*search.Document) (all []Wanted, whole bool, err error) {
	bodies, err := st.Bodies(ctx, of)
	if err != nil {
		return nil, false, err
	}
	chunks, err := st.wantedOf(ctx, of)
	for _, d := range of {
		body, ok := bodies[d]
		if !ok {
			continue
		}
		for _, c := range chunks[d] {
			all = append(all, Wanted{c, d.SlotOf(c.Number), catalog.EmbeddingInput(body.Text[c.Span.StartByte:c.Span.EndByte], c.Heading)})
		}
	}
	return all, len(bodies) == len(of), err
}

// wantedOf are those chunks, from memory or from where they are.
func (st *Store) wantedOf(ctx context.Context, of []*search.Document) (map[*search.Document][]search.Chunk, error) {
	here, elsewhere := make(map[*search.Document][]search.Chunk), make(map[*search.Document][]int)
	st.Mu.RLock()
	for _, d := range of {
		for n := range st.wanted(d) {
			if d.Run.Count > 0 {
				elsewhere[d] = append(elsewhere[d], n)
			} else {
				here[d] = append(here[d], *st.chunkAt(d.Slots[n]))
			}
		}
	}
	st.Mu.RUnlock()
	there, err := st.chunksAt(ctx, elsewhere)
	maps.Copy(here, there)
	return here, err
}

// makeVectors gives the chunks of a folder that have none vectors that are free, several
// documents at a time.
func (st *Store) makeVectors(ctx context.Context, folder int) error {
	for some := range slices.Chunk(st.Pending(), catalog.PageRows) {
		var steps []func() error
		for _, d := range some {
			if d.Folder == folder {
				steps = append(steps, func() error { return st.makeVectorsOf(ctx, d) })
			}
		}
		if err := allOf(steps); err != nil {
			return err
		}
	}
	return nil
}

// makeVectorsOf leaves a document alone in whose place another process has put
// another one: that is to come.
func (st *Store) makeVectorsOf(ctx context.Context, d *search.Document) error {
	bare, _, err := st.BareOf(ctx, d)
	if err != nil {
		return err
	}
	made := make(map[catalog.Key][]float32, len(bare))
	for _, w := range bare {
		if err := st.embed(ctx, made, w.Key, w.Input); err != nil {
			return err
		}
	}
	return st.Attach(bare, made)
}

// SaveVectors keeps what the embedding model gave.
func (st *Store) SaveVectors(ctx context.Context, folder int, fresh map[catalog.Key][]float32) error {
	if folder == search.NoFolder || len(fresh) == 0 {
		return nil
	}
	c := st.Follower(folder)
	if err := c.Vectors().Save(ctx, fresh); err != nil {
		return fmt.Errorf("save vectors: %w", err)
	}
	st.sized(folder, fresh)
	return nil
}

// Attach gives vectors to those of the chunks that are still there.
func (st *Store) Attach(chunks []Wanted, vectors map[catalog.Key][]float32) error {
	if st.heads {
		st.attachElsewhere(chunks, vectors)
		return nil
	}
	st.Mu.Lock()
	defer st.unlock()
	for _, w := range chunks {
		c, vec := st.chunkAt(w.Slot), vectors[w.Key]
		if !vector.Fits(st.Vectors, vec) || c.Document == nil || c.Key != w.Key || !c.Bare {
			continue
		}
		if err := st.Vectors.Put(w.Slot, vec); err != nil {
			return err
		}
		c.Bare = false
		st.Bare--
		if st.incomplete[c.Document]--; st.incomplete[c.Document] == 0 {
			delete(st.incomplete, c.Document)
		}
	}
	return nil
}

// IsOther tells whether vec has another length than the vectors held.
func (st *Store) IsOther(vec []float32) bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	if st.heads {
		return st.isOtherElsewhere(len(vec))
	}
	return st.Vectors.Dimensions() != 0 && len(vec) != st.Vectors.Dimensions()
}

// DropVectors forgets all vectors, on disk too, if vec has another length.
func (st *Store) DropVectors(ctx context.Context, vec []float32) error {
	st.Mu.Lock()
	defer st.unlock()
	if st.heads {
		return st.dropElsewhere(ctx, len(vec))
	}
	if st.Vectors.Dimensions() == 0 || len(vec) == st.Vectors.Dimensions() { // somebody was faster
		return nil
	}
	for _, c := range st.Followers {
		if c == nil {
			continue
		}
		if err := c.Vectors().Drop(ctx); err != nil {
			return fmt.Errorf("drop the vectors of another model: %w", err)
		}
	}
	st.forgetVectors()
	return nil
}

// forgetVectors makes all chunks bare.
func (st *Store) forgetVectors() {
	st.Vectors, st.Bare = vector.New(precision(st.Model)), st.Postings.Len()
	for d := range st.Documents {
		for _, s := range d.Slots {
			st.Chunks[s].Bare = true
		}
		if len(d.Slots) > 0 {
			st.incomplete[d] = len(d.Slots)
		}
	}
}

// Wanted is a chunk that needs a vector.
type Wanted struct {
	search.Chunk
	Slot  rank.Slot
	Input string
}

// HeldVectors lists the vectors of a folder that are in memory.
func (st *Store) HeldVectors(folder int) map[catalog.Key][]float32 {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	return st.vectorsOf(folder)
}
