package live

import (
	"context"
	"fmt"

	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// Load loads the catalogue of a folder into memory: from the snapshot beside it and later changes,
// or else document by document.
func (st *Store) Load(ctx context.Context, folder int, c catalog.Catalog) (*Follower, error) {
	f := newFollower(c)
	defer f.LockFollowing()()
	return f, st.loadInOrder(ctx, folder, f, true)
}

// loadInOrder loads a catalogue into memory through its new Follower, from the snapshot beside it
// and later changes, or else document by document. The caller has locked following.
func (st *Store) loadInOrder(ctx context.Context, folder int, f *Follower, rescue bool) error {
	change, takeOver, err := st.RestoreSnapshot(ctx, folder, f, rescue)
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
		return fmt.Errorf("load %s: %w", f.Describe().File, err)
	}
	return nil
}

// loadRecords loads every document into memory.
func (st *Store) loadRecords(ctx context.Context, folder int, f *Follower) error {
	st.SetFollower(folder, f)
	f.vector = NoVectorRow
	d, err := f.Changes(ctx, catalog.NoKnownChange)
	if err != nil {
		return err
	}
	if _, err := st.readAll(ctx, folder, f, true); err != nil {
		return err
	}
	f.followed.Store(d.LastChange)
	return nil
}

// LoadReadOnly loads the catalogue of a folder into memory, and writes nothing to the disk.
func (st *Store) LoadReadOnly(ctx context.Context, folder int, c catalog.Catalog) (*Follower, error) {
	f := newFollower(c)
	defer f.LockFollowing()()
	return f, st.loadInOrder(ctx, folder, f, false)
}

// ReplaceCatalog unloads a folder and loads its new catalogue. If that fails, the new catalogue
// counts as damaged.
func (st *Store) ReplaceCatalog(ctx context.Context, folder int, c catalog.Catalog) error {
	st.forgetFolder(folder)
	f, err := st.Load(ctx, folder, c)
	st.SetFollower(folder, f)
	if err != nil {
		_ = f.RecordDamage(catalog.ErrDamaged) // it counts as damaged
	}
	return err
}

// Unload removes all documents of a folder from memory.
func (st *Store) Unload(folder int) {
	if !st.NeedsReload() { // otherwise everything must be loaded again
		st.forgetFolder(folder)
	}
	st.SetFollower(folder, nil)
}

// forgetFolder removes all documents of a folder from memory.
func (st *Store) forgetFolder(folder int) {
	st.forgetIn(folder, func(*search.Document) bool { return true })
}

// SwitchToCopy replaces the catalogue of a folder by a copy that copyOf makes. The copy has the same
// rows up to the change last, so the searchable content stays; if last is -1, nothing is replaced.
// isReplaced reports whether the catalogue was replaced. After an error it is not, and the copy is not
// used.
func (st *Store) SwitchToCopy(ctx context.Context, folder int, old *Follower, copyOf func(context.Context) (c catalog.Catalog, last int64, err error)) (isReplaced bool, err error) {
	defer old.LockFollowing()()
	c, last, err := copyOf(ctx)
	if err != nil || last < 0 {
		return false, err
	}
	f := newFollower(c)
	f.number = old.number // the copy has the same rows
	// Others have written changes that are not in memory: compare everything.
	if last != old.LastFollowedChange() {
		f.followed.Store(catalog.NoKnownChange)
		defer f.LockFollowing()()
		if err := st.catchUp(ctx, folder, f); err != nil {
			return false, err
		}
	}
	old.setBeingReplaced(true)
	st.SetFollower(folder, f)
	return true, nil
}

// Reload rebuilds memory from the catalogues and the texts sent by clients. Queries are answered
// from the old content meanwhile.
func (st *Store) Reload(ctx context.Context, texts []catalog.RecordWithBody) error {
	var takeOver func()
	fresh := New(len(st.Followers()), st.Embedder, func(fresh *Store) (of ChunkIndex) {
		of, takeOver = st.NewForStore(fresh)
		return of
	})
	for folder, f := range st.Followers() {
		if f == nil {
			continue
		}
		defer f.LockFollowing()() // until fresh replaces the old content, nothing is followed
		if err := fresh.loadInOrder(ctx, folder, f, true); err != nil {
			return err
		}
	}
	for _, t := range texts {
		if err := fresh.PutClientText(ctx, t); err != nil {
			return err
		}
	}
	return st.Update(func(docs *Documents) error {
		*docs, st.texts, st.torn = fresh.documents, fresh.texts, false
		takeOver()
		return nil
	})
}
