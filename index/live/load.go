package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/lexical"
	"vademecum/index/rank"
	"vademecum/index/vector"
)

// Load brings the catalogue of a folder into memory: from the snapshot beside
// it and what has changed since, or else document by document.
func (st *Store) Load(ctx context.Context, folder int, c catalog.Catalog) (*Follower, error) {
	f := newFollower(c)
	f.Order.Lock()
	defer f.Order.Unlock()
	return f, st.loadInOrder(ctx, folder, f)
}

// loadInOrder is load for who holds f.Order.
func (st *Store) loadInOrder(ctx context.Context, folder int, f *Follower) error {
	return st.loadWith(ctx, folder, f, f.rescueSnapshot)
}

// loadWith loads from the snapshot, or else document by document after rescue has
// taken from the snapshot what it is still good for.
func (st *Store) loadWith(ctx context.Context, folder int, f *Follower, rescue func(context.Context, int) error) error {
	m, head, err := loadSnapshot(ctx, f, folder, precision(st.Model))
	switch {
	case err == nil:
		f.followedVector = head.vector
		f.pictured = pictured{head.change, len(m.Chunks) - m.Bare}
		err = st.absorb(folder, f, m)
		f.followed.Store(head.change)
	case errors.Is(err, errNoSnapshot):
		if err = rescue(ctx, folder); err == nil {
			err = st.loadRecords(ctx, folder, f)
		}
	}
	if err == nil {
		err = st.catchUp(ctx, folder, f)
	}
	if err != nil {
		return fmt.Errorf("load %s: %w", f.File(), err)
	}
	return nil
}

// loadRecords brings every document into memory.
func (st *Store) loadRecords(ctx context.Context, folder int, f *Follower) (err error) {
	st.Register(folder, f)
	if f.followedVector, err = f.Vectors().Last(ctx); err != nil {
		return err
	}
	vectors := make(map[catalog.Key][]float32)
	if st.Model.IsStored() && !st.heads { // else they are made when all documents are there
		if vectors, err = f.Vectors().Since(ctx, 0); err != nil {
			return err
		}
	}
	last, _, err := st.readAll(ctx, folder, f, vectors)
	f.followed.Store(last)
	return err
}

// Register makes a catalogue that of its folder.
func (st *Store) Register(folder int, f *Follower) {
	st.Mu.Lock()
	defer st.Mu.Unlock()
	st.Followers[folder] = f
}

// absorb makes searchable what was loaded of a folder.
func (st *Store) absorb(folder int, f *Follower, m *Memory) error {
	st.Mu.Lock()
	defer st.unlock()
	st.Followers[folder] = f
	if len(m.Chunks) >= manyChunks {
		collectOften(growth)
	}
	if st.places.count == 0 && len(st.Chunks) == 0 {
		st.Memory = m
		return nil
	}
	return st.Memory.add(m)
}

// add takes over another memory, which is not to be used after that.
func (m *Memory) add(other *Memory) error {
	first := rank.Slot(len(m.Chunks))
	if len(m.Chunks)+len(other.Chunks) > lexical.MaxSlots {
		return errFull
	}
	for d := range other.Documents {
		for i := range d.Slots {
			d.Slots[i] += first
		}
		m.displace(d.At())
		m.put(d)
		if n := other.incomplete[d]; n > 0 {
			m.incomplete[d] = n
		}
	}
	m.Bare += other.Bare
	m.Chunks, m.begins = append(m.Chunks, other.Chunks...), append(m.begins, other.begins...)
	m.Postings.Join(other.Postings, first)
	unfit, err := vector.Join(m.Vectors, other.Vectors, first, len(other.Chunks))
	for _, s := range unfit { // of a model that changed its mind about dimensions
		m.strip(s)
	}
	return err
}

// strip notes that the chunk at a slot is to be embedded after all.
func (m *Memory) strip(s rank.Slot) {
	c := &m.Chunks[s]
	c.Bare = true
	m.Bare++
	m.incomplete[c.Document]++
}

// Look is load without what a load makes on the disk.
func (st *Store) Look(ctx context.Context, folder int, c catalog.Catalog) (*Follower, error) {
	f := newFollower(c)
	f.Order.Lock()
	defer f.Order.Unlock()
	return f, st.loadWith(ctx, folder, f, func(context.Context, int) error { return nil })
}

// Exchange forgets a folder and loads what its new catalogue holds. When that
// fails the new one is as good as damaged.
func (st *Store) Exchange(ctx context.Context, folder int, c catalog.Catalog) error {
	st.forgetFolder(folder)
	f, err := st.Load(ctx, folder, c)
	st.Register(folder, f)
	if err != nil {
		_ = f.Health().Note(catalog.ErrDamaged) // it is as good as that
		f.Tried.Store(time.Now().UnixNano())
	}
	return err
}

// forgetFolder forgets all documents of a folder, in memory only.
func (st *Store) forgetFolder(folder int) {
	st.Mu.Lock()
	defer st.unlock()
	for d := range st.Documents {
		if d.Folder == folder {
			st.Forget(d.At())
		}
	}
}

// GoOver puts a copy in the place of a catalogue that has the same rows up to a change.
// Nothing that can be searched changes then. Otherwise, where last is -1, it does nothing;
// and where it fails the copy is not followed.
func (st *Store) GoOver(ctx context.Context, folder int, old *Follower, copyOf func(context.Context) (c catalog.Catalog, last int64, err error)) (same bool, err error) {
	old.Order.Lock()
	defer old.Order.Unlock()
	c, last, err := copyOf(ctx)
	if err != nil || last < 0 {
		return false, err
	}
	f := newFollower(c)
	f.number = old.number // it has the same rows
	f.followedVector, err = c.Vectors().Last(ctx)
	if err == nil && last != old.LastFollowed() { // others have written what is not in memory yet: all is compared
		f.followed.Store(-1)
		f.Order.Lock()
		defer f.Order.Unlock()
		err = st.catchUp(ctx, folder, f)
	}
	if err != nil {
		return false, err
	}
	old.Health().Retire(true)
	st.Mu.Lock()
	defer st.unlock()
	st.Followers[folder] = f
	return true, nil
}
