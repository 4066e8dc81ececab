package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// lacking tells what is known of the vectors of chunks that are in catalogues only: a
// bit for each chunk of the documents that lack some.
type lacking struct {
	bare  map[*search.Document]chunkSet
	fresh map[*search.Document]bool // of which nobody has looked yet
	sizes map[int]int               // dimensions of the vectors of each folder, 0: there are none
}

func newLacking() lacking {
	return lacking{make(map[*search.Document]chunkSet), make(map[*search.Document]bool), make(map[int]int)}
}

// chunkSet is chunks of a document by their numbers.
type chunkSet []uint64

func (c chunkSet) has(n int) bool { return n/64 < len(c) && c[n/64]>>(n%64)&1 == 1 }

func (c chunkSet) len() (n int) {
	for _, word := range c {
		n += bits.OnesCount64(word)
	}
	return n
}

// setBare notes which chunks of a document have no vector.
func (m *Memory) setBare(d *search.Document, bare chunkSet) {
	delete(m.lacking.fresh, d)
	n := bare.len()
	m.Bare += n - m.incomplete[d]
	if n == 0 {
		delete(m.incomplete, d)
		delete(m.lacking.bare, d)
		return
	}
	m.incomplete[d], m.lacking.bare[d] = n, bare
}

// give notes that a chunk of a document has a vector.
func (m *Memory) give(d *search.Document, number int) {
	if bare := m.lacking.bare[d]; bare.has(number) {
		bare[number/64] &^= 1 << (number % 64)
		m.setBare(d, bare)
	}
}

// moveLacking has a document in the place of one that is the same but for its times.
func (m *Memory) moveLacking(old, d *search.Document) {
	if bare, ok := m.lacking.bare[old]; ok {
		delete(m.lacking.bare, old)
		m.lacking.bare[d] = bare
	}
	if m.lacking.fresh[old] {
		delete(m.lacking.fresh, old)
		m.lacking.fresh[d] = true
	}
}

// lookAgain forgets what is known of the vectors of a folder.
func (m *Memory) lookAgain(folder int) {
	for d := range m.Documents {
		if d.Folder == folder && d.Run.Count > 0 {
			m.setBare(d, nil)
			m.lacking.fresh[d] = true
		}
	}
}

var errNoEmbedding = errors.New("the catalogue cannot tell which passages have no vector")

// embedding is the catalogue of a folder whose chunks are not in memory.
func (f *Follower) embedding() (catalog.Embedding, error) {
	c, ok := f.Catalog.(catalog.Embedding)
	if !ok {
		return nil, errNoEmbedding
	}
	return c, nil
}

// takeLacking brings up to date which chunks of a folder have no vector, where they are
// in its catalogue only. The caller holds f.Order.
func (st *Store) takeLacking(ctx context.Context, folder int, f *Follower) error {
	c, err := f.embedding()
	if err != nil {
		return err
	}
	size, err := c.Dimensions(ctx)
	if err != nil {
		return fmt.Errorf("read vectors: %w", err)
	}
	st.resized(folder, size)
	last, err := f.Vectors().Last(ctx)
	if err == nil && last != f.followedVector && st.CountBare(folder) > 0 {
		var slots []uint32
		slots, err = c.Given(ctx, f.followedVector)
		st.given(folder, slots)
	}
	if err == nil {
		err = st.takeFresh(ctx, folder, c)
	}
	if err != nil {
		return fmt.Errorf("read vectors: %w", err)
	}
	f.followedVector = last
	if st.CountBare(folder) == 0 {
		return nil
	}
	if err := st.takeRefusals(ctx, folder, f); err != nil {
		return fmt.Errorf("read what the model refuses: %w", err)
	}
	return nil
}

// resized notes how long the vectors of a folder are. Where they were of another length
// another process has dropped them, and all are looked for again.
func (st *Store) resized(folder, size int) {
	st.Mu.Lock()
	defer st.unlock()
	old := st.lacking.sizes[folder]
	if st.lacking.sizes[folder] = size; old != 0 && old != size {
		st.lookAgain(folder)
	}
}

// sized notes how long the first vectors of a folder are.
func (st *Store) sized(folder int, vectors map[catalog.Key][]float32) {
	st.Mu.Lock()
	defer st.unlock()
	for _, vec := range vectors {
		if st.lacking.sizes[folder] == 0 {
			st.lacking.sizes[folder] = len(vec)
		}
		return
	}
}

// lookAtFresh is takeFresh of what a folder's catalogue was given a moment ago. A text
// that was refused may be among it again.
func (st *Store) lookAtFresh(ctx context.Context, folder int, f *Follower) error {
	c, err := f.embedding()
	if err == nil {
		err = st.takeFresh(ctx, folder, c)
	}
	if err != nil || !st.refusals.isAny(folder) {
		return err
	}
	return st.takeRefusals(ctx, folder, f)
}

// given notes that the chunks at some slots of a folder have vectors now.
func (st *Store) given(folder int, slots []uint32) {
	if len(slots) == 0 {
		return
	}
	slices.Sort(slots)
	st.Mu.Lock()
	defer st.unlock()
	for d := range st.lacking.bare {
		if d.Folder == folder {
			for _, s := range within(slots, d.Run) {
				st.give(d, int(s-d.Run.First))
			}
		}
	}
}

// within is the part of slots, which are in order, that is in a run.
func within(slots []uint32, run lexical.Run) []uint32 {
	first, _ := slices.BinarySearch(slots, run.First)
	end, _ := slices.BinarySearch(slots[first:], run.First+run.Count)
	return slots[first : first+end]
}

// hasFresh tells whether there are documents of a folder of whose vectors nobody has
// looked yet.
func (st *Store) hasFresh(folder int) bool {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	for d := range st.lacking.fresh {
		if d.Folder == folder {
			return true
		}
	}
	return false
}

// takeFresh asks which chunks of the documents that are new have no vector. The slots of
// those that came one after the other follow each other.
func (st *Store) takeFresh(ctx context.Context, folder int, c catalog.Embedding) error {
	st.Mu.RLock()
	var fresh []*search.Document
	for d := range st.lacking.fresh {
		if d.Folder == folder {
			fresh = append(fresh, d)
		}
	}
	st.Mu.RUnlock()
	if len(fresh) == 0 {
		return nil
	}
	slices.SortFunc(fresh, func(a, b *search.Document) int { return cmp.Compare(a.Run.First, b.Run.First) })
	first, last := fresh[0].Run, fresh[len(fresh)-1].Run
	bare, err := c.Bare(ctx, lexical.Run{First: first.First, Count: last.First + last.Count - first.First})
	if err != nil {
		return err
	}
	st.Mu.Lock()
	defer st.unlock()
	for _, d := range fresh {
		if !st.lacking.fresh[d] { // it is gone, or was put in the place of itself
			continue
		}
		var set chunkSet
		for _, s := range within(bare, d.Run) {
			if set == nil {
				set = make(chunkSet, (d.Run.Count+63)/64)
			}
			n := s - d.Run.First
			set[n/64] |= 1 << (n % 64)
		}
		st.setBare(d, set)
	}
	return nil
}

// attachElsewhere notes which of some chunks have got vectors, where these are in
// catalogues only.
func (st *Store) attachElsewhere(chunks []Wanted, vectors map[catalog.Key][]float32) {
	st.Mu.Lock()
	defer st.unlock()
	for _, w := range chunks {
		d := st.At(w.Document.At())
		if d != nil && d.ID == w.Document.ID && d.Source == w.Document.Source && len(vectors[w.Key]) > 0 {
			st.give(d, w.Number)
		}
	}
}

// isOtherElsewhere is IsOther of what is in catalogues only.
func (m *Memory) isOtherElsewhere(length int) bool {
	for _, size := range m.lacking.sizes {
		if size != 0 && size != length {
			return true
		}
	}
	return false
}

// dropElsewhere is DropVectors of what is in catalogues only.
func (st *Store) dropElsewhere(ctx context.Context, length int) error {
	for folder, c := range st.Followers {
		if size := st.lacking.sizes[folder]; c == nil || size == 0 || size == length { // somebody was faster
			continue
		}
		if err := c.Vectors().Drop(ctx); err != nil {
			return fmt.Errorf("drop the vectors of another model: %w", err)
		}
		st.lacking.sizes[folder] = 0
		for d := range st.Documents {
			if d.Folder == folder && d.Run.Count > 0 {
				st.setBare(d, allOfThem(d.Run))
			}
		}
	}
	return nil
}

// allOfThem is the set of all chunks in a run.
func allOfThem(run lexical.Run) chunkSet {
	set := make(chunkSet, (run.Count+63)/64)
	for n := range run.Count {
		set[n/64] |= 1 << (n % 64)
	}
	return set
}

// chunksAt finds chunks of documents, by their numbers, that are in catalogues only.
func (st *Store) chunksAt(ctx context.Context, numbers map[*search.Document][]int) (map[*search.Document][]search.Chunk, error) {
	slots := make(map[int][]uint32) // by folder
	for d, some := range numbers {
		for _, n := range some {
			slots[d.Folder] = append(slots[d.Folder], d.Run.First+uint32(n))
		}
	}
	all := make(map[*search.Document][]search.Chunk, len(numbers))
	for folder, some := range slots {
		found, err := st.chunksIn(ctx, folder, some)
		if err != nil {
			return nil, err
		}
		for d, some := range numbers {
			if d.Folder != folder {
				continue
			}
			for _, n := range some {
				if one, ok := found[d.Run.First+uint32(n)]; ok { // else another document is in the place of this one
					all[d] = append(all[d], search.Chunk{Document: d, Number: n, Span: one.Span, Heading: one.Heading, Key: one.Key, Wording: one.Wording, Mark: one.Mark, Bare: true})
				}
			}
		}
	}
	return all, nil
}

// chunksIn is chunksAt of one folder, by slots.
func (st *Store) chunksIn(ctx context.Context, folder int, slots []uint32) (map[uint32]catalog.Chunk, error) {
	f := st.Follower(folder)
	if f == nil {
		return nil, nil
	}
	c, err := f.embedding()
	if err != nil {
		return nil, err
	}
	found, err := c.ChunksAt(ctx, slots)
	if err != nil {
		return nil, fmt.Errorf("read passages: %w", err)
	}
	return found, nil
}

// embedding is that of the catalogue of a folder, nil where the vectors of its chunks are
// in memory.
func (st *Store) embedding(folder int) (catalog.Embedding, error) {
	f := st.Follower(folder)
	if !st.heads || !st.Model.IsStored() || f == nil {
		return nil, nil
	}
	return f.embedding()
}

// MarkEmbedded has the catalogue of a folder note which chunks have vectors, for who
// loads it next.
func (st *Store) MarkEmbedded(ctx context.Context, folder int) error {
	c, err := st.embedding(folder)
	if err != nil || c == nil {
		return err
	}
	return c.MarkEmbedded(ctx)
}

// IsUnindexed tells whether many vectors of a catalogue lack an index.
func (f *Follower) IsUnindexed(ctx context.Context) (bool, error) {
	c, err := f.embedding()
	if err != nil { // its vectors are found in memory
		return false, nil
	}
	return c.IsIndexDue(ctx)
}

// IndexVectors makes what has the nearest vectors of a folder found fast, where they are
// in its catalogue only: see catalog.Embedding.
func (st *Store) IndexVectors(ctx context.Context, folder int, tell func(done, total int)) error {
	c, err := st.embedding(folder)
	if err != nil || c == nil {
		return err
	}
	return c.IndexVectors(ctx, tell)
}

// takeRefusedSlots takes over which chunks of a folder were refused.
func (st *Store) takeRefusedSlots(ctx context.Context, folder int, f *Follower) error {
	c, err := f.embedding()
	if err != nil {
		return err
	}
	reasons, err := c.Refused(ctx, time.Now().Add(-keepRefusal))
	if err != nil {
		return err
	}
	slots := make(map[rank.Slot]string, len(reasons))
	for s, reason := range reasons {
		slots[rank.Slot(s)] = reason
	}
	st.refusals.replaceSlots(folder, slots)
	return nil
}
