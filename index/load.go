package index

import (
	"context"
	"errors"
	"fmt"

	"vademecum/index/catalog/sqlite"

	"vademecum/index/catalog"

	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/vector"
)

// load brings the catalogue of a folder into memory: from the snapshot beside
// it and what has changed since, or else document by document.
func (st *store) load(ctx context.Context, folder int, c *sqlite.Catalog) (*follower, error) {
	f, err := newFollower(ctx, c)
	if err != nil {
		return f, err
	}
	f.order.Lock()
	defer f.order.Unlock()
	return f, st.loadInOrder(ctx, folder, f)
}

// loadInOrder is load for who holds f.order.
func (st *store) loadInOrder(ctx context.Context, folder int, f *follower) error {
	return st.loadWith(ctx, folder, f, f.rescueSnapshot)
}

// loadWith loads from the snapshot, or else document by document after rescue has
// taken from the snapshot what it is still good for.
func (st *store) loadWith(ctx context.Context, folder int, f *follower, rescue func(context.Context, int) error) error {
	m, head, err := loadSnapshot(ctx, f, folder)
	switch {
	case err == nil:
		f.followed, f.followedVector = head.change, head.vector
		f.pictured = pictured{head.change, len(m.chunks) - m.bare}
		err = st.absorb(folder, f, m)
	case errors.Is(err, errNoSnapshot):
		if err = rescue(ctx, folder); err == nil {
			err = st.loadRecords(ctx, folder, f)
		}
	}
	if err == nil {
		err = st.catchUp(ctx, folder, f)
	}
	if err != nil {
		return fmt.Errorf("load %s: %w", f.File, err)
	}
	return nil
}

// loadRecords brings every document into memory.
func (st *store) loadRecords(ctx context.Context, folder int, f *follower) (err error) {
	st.register(folder, f)
	if f.followedVector, err = f.LastVector(ctx); err != nil {
		return err
	}
	vectors := make(map[catalog.Key][]float32)
	if !st.builtin { // else they are made when all documents are there
		if vectors, err = f.VectorsSince(ctx, 0); err != nil {
			return err
		}
	}
	f.followed, _, err = st.readAll(ctx, folder, f, vectors)
	return err
}

// register makes a catalogue that of its folder.
func (st *store) register(folder int, f *follower) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.catalogues[folder] = f
}

// absorb makes searchable what was loaded of a folder.
func (st *store) absorb(folder int, f *follower, m *memory) error {
	st.mu.Lock()
	defer st.unlock()
	st.catalogues[folder] = f
	if len(m.chunks) >= manyChunks {
		collectOften()
	}
	if len(st.documents) == 0 && len(st.chunks) == 0 {
		st.memory = m
		return nil
	}
	return st.memory.add(m)
}

// add takes over another memory, which is not to be used after that.
func (m *memory) add(other *memory) error {
	first := rank.Slot(len(m.chunks))
	if len(m.chunks)+len(other.chunks) > lexical.MaxSlots {
		return errFull
	}
	for at, d := range other.documents {
		for i := range d.slots {
			d.slots[i] += first
		}
		m.place(at, d)
		if n := other.incomplete[d]; n > 0 {
			m.incomplete[d] = n
		}
	}
	m.bare += other.bare
	m.chunks = append(m.chunks, other.chunks...)
	m.postings.Join(other.postings, first)
	for s := range rank.Slot(len(other.chunks)) {
		vec := other.vectors.At(s)
		if vec == nil {
			continue
		}
		if !vector.Fits(m.vectors, vec) { // a model that changed its mind about dimensions
			m.strip(first + s)
			continue
		}
		if err := m.vectors.Put(first+s, vec); err != nil {
			return err
		}
	}
	return nil
}

// strip notes that the chunk at a slot is to be embedded after all.
func (m *memory) strip(s rank.Slot) {
	c := &m.chunks[s]
	c.bare = true
	m.bare++
	m.incomplete[c.document]++
}
