package live

import (
	"context"
	"fmt"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/search"
)

// Load brings the catalogue of a folder into memory: from the snapshot beside
// it and what has changed since, or else document by document.
func (st *Store) Load(ctx context.Context, folder int, c catalog.Catalog) (*Follower, error) {
	f := newFollower(c)
	defer f.LockFollowing()()
	return f, st.loadInOrder(ctx, folder, f, true)
}

// loadInOrder is Load for callers that hold the Follower.
func (st *Store) loadInOrder(ctx context.Context, folder int, f *Follower, rescue bool) error {
	change, takeOver, err := st.Restore(ctx, folder, f, rescue)
	switch {
	case err == nil && takeOver != nil:
		err = st.Update(func(docs *Documents) error {
			st.followers[folder] = f
			return takeOver(docs)
		})
		f.followed.Store(change)
	case err == nil:
		err = st.loadRecords(ctx, folder, f)
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
	if f.vector, err = f.Vectors().LastRow(ctx); err != nil {
		return err
	}
	last, _, err := st.readAll(ctx, folder, f, true)
	f.followed.Store(last)
	return err
}

// LoadReadOnly is load without what a load makes on the disk.
func (st *Store) LoadReadOnly(ctx context.Context, folder int, c catalog.Catalog) (*Follower, error) {
	f := newFollower(c)
	defer f.LockFollowing()()
	return f, st.loadInOrder(ctx, folder, f, false)
}

// ReplaceCatalog forgets a folder and loads what its new catalogue holds. When that
// fails the new one is as good as damaged.
func (st *Store) ReplaceCatalog(ctx context.Context, folder int, c catalog.Catalog) error {
	st.forgetFolder(folder)
	f, err := st.Load(ctx, folder, c)
	st.Register(folder, f)
	if err != nil {
		_ = f.Health().RecordError(catalog.ErrDamaged) // it is as good as that
		f.Tried.Store(time.Now().UnixNano())
	}
	return err
}

// Unload forgets all documents of a folder, in memory only.
func (st *Store) Unload(folder int) {
	if !st.IsHalfChanged() { // else all is to be loaded again
		st.forgetFolder(folder)
	}
	st.Register(folder, nil)
}

// forgetFolder forgets all documents of a folder, in memory only.
func (st *Store) forgetFolder(folder int) {
	st.forgetIn(folder, func(*search.Document) bool { return true })
}

// SwitchToCopy puts a copy in the place of a catalogue that has the same rows up to a change.
// Nothing that can be searched changes then. Otherwise, where last is -1, it does nothing;
// and where it fails the copy is not followed.
func (st *Store) SwitchToCopy(ctx context.Context, folder int, old *Follower, copyOf func(context.Context) (c catalog.Catalog, last int64, err error)) (same bool, err error) {
	defer old.LockFollowing()()
	c, last, err := copyOf(ctx)
	if err != nil || last < 0 {
		return false, err
	}
	f := newFollower(c)
	f.number = old.number // it has the same rows
	f.vector, err = c.Vectors().LastRow(ctx)
	if err == nil && last != old.LastFollowed() { // others have written what is not in memory yet: all is compared
		f.followed.Store(-1)
		defer f.LockFollowing()()
		err = st.catchUp(ctx, folder, f)
	}
	if err != nil {
		return false, err
	}
	old.Health().SetRetired(true)
	st.Register(folder, f)
	return true, nil
}

// Reload makes memory anew from the catalogues and the texts that clients sent. Until it
// is through, questions are answered from what there was.
func (st *Store) Reload(ctx context.Context, texts []catalog.Entry) error {
	var takeOver func()
	fresh := New(len(st.Followers()), st.Embedder, func(fresh *Store) (of Chunks) {
		of, takeOver = st.NewFor(fresh)
		return of
	})
	for folder, f := range st.Followers() {
		if f == nil {
			continue
		}
		defer f.LockFollowing()() // until fresh takes the place of what there was: nothing is followed meanwhile
		if err := fresh.loadInOrder(ctx, folder, f, true); err != nil {
			return err
		}
	}
	for _, t := range texts {
		if err := fresh.PutText(ctx, t); err != nil {
			return err
		}
	}
	return st.Update(func(docs *Documents) error {
		*docs, st.texts, st.torn = fresh.documents, fresh.texts, false
		takeOver()
		return nil
	})
}
