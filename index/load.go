package index

import (
	"context"
	"errors"
	"fmt"

	"vademecum/docs/text"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/vector"
)

// load brings the catalogue of a folder into memory: from the snapshot beside
// it and what has changed since, or else document by document.
func (st *store) load(ctx context.Context, folder int, c *catalogue) error {
	c.order.Lock()
	defer c.order.Unlock()
	return st.loadInOrder(ctx, folder, c)
}

// loadInOrder is load for who holds c.order.
func (st *store) loadInOrder(ctx context.Context, folder int, c *catalogue) error {
	return st.loadWith(ctx, folder, c, c.rescueSnapshot)
}

// loadWith loads from the snapshot, or else document by document after rescue has
// taken from the snapshot what it is still good for.
func (st *store) loadWith(ctx context.Context, folder int, c *catalogue, rescue func(context.Context, int) error) error {
	m, head, err := loadSnapshot(ctx, c, folder)
	switch {
	case err == nil:
		c.followed, c.followedVector = head.change, head.vector
		c.pictured = pictured{head.change, m.bare}
		err = st.absorb(folder, c, m)
	case errors.Is(err, errNoSnapshot):
		if err = rescue(ctx, folder); err == nil {
			err = st.loadRecords(ctx, folder, c)
		}
	}
	if err == nil {
		err = st.catchUp(ctx, folder, c)
	}
	if err != nil {
		return fmt.Errorf("load %s: %w", c.file, err)
	}
	return nil
}

// loadRecords brings every document into memory.
func (st *store) loadRecords(ctx context.Context, folder int, c *catalogue) (err error) {
	if c.followed, err = lastChange(ctx, c.read); err != nil {
		return err
	}
	if c.followedVector, err = c.lastVector(ctx); err != nil {
		return err
	}
	var vectors map[textKey][]float32
	if !st.builtin { // else they are made when all documents are there
		if vectors, err = c.vectorsSince(ctx, 0); err != nil {
			return err
		}
	}
	st.mu.Lock()
	defer st.unlock()
	st.catalogues[folder] = c
	return c.records(ctx, func(r record) error {
		if _, ok := st.documents[location{folder, r.path}]; ok {
			return fmt.Errorf("%s is there twice: %w", r.path, errDamaged)
		}
		return st.insert(folder, c, r, text.Body{}, vectors)
	})
}

// absorb makes searchable what was loaded of a folder.
func (st *store) absorb(folder int, c *catalogue, m *memory) error {
	st.mu.Lock()
	defer st.unlock()
	st.catalogues[folder] = c
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
