package live

import (
	"context"
	"errors"
	"slices"
)

// ReadLocked calls f while the documents do not change. f must not call methods of the Store, or
// wait for anything.
func (st *Store) ReadLocked(f func(*Documents)) {
	st.mu.RLock()
	defer st.mu.RUnlock()
	f(&st.documents)
}

// readLocked returns the result of f, which it calls while the documents do not change. f must not
// call methods of the Store, or wait for anything.
func readLocked[T any](st *Store, f func(*Documents) T) T {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return f(&st.documents)
}

// errWritten means that the documents changed during a read.
var errWritten = errors.New("the index has changed")

// ReadLockedWithPauses calls f, which may take long, while the documents do not change. f must call
// pause now and then, which lets waiting writers proceed, and return the errors of pause. If a
// writer has changed anything by then, f is called again, without pauses, and its first result is
// void.
func (st *Store) ReadLockedWithPauses(ctx context.Context, f func(d *Documents, pause func() error) error) error {
	err := st.readOnce(ctx, true, f)
	if errors.Is(err, errWritten) {
		return st.readOnce(ctx, false, f)
	}
	return err
}

func (st *Store) readOnce(ctx context.Context, yielding bool, f func(d *Documents, pause func() error) error) error {
	st.mu.RLock()
	defer st.mu.RUnlock()
	written := st.written
	return f(&st.documents, func() error {
		if !yielding {
			return nil
		}
		st.mu.RUnlock()
		err := ctx.Err()
		st.mu.RLock() // waits for pending writers
		if err == nil && st.written != written {
			err = errWritten
		}
		return err
	})
}

// Update calls f, which may change the documents and their ChunkIndex in memory. f must not call
// methods of the Store, or wait for anything. A panic in f may leave them half changed, see
// NeedsReload.
func (st *Store) Update(f func(*Documents) error) error {
	st.mu.Lock()
	defer st.unlock()
	return f(&st.documents)
}

func (st *Store) unlock() {
	defer st.mu.Unlock()
	st.written++
	if p := recover(); p != nil {
		st.torn = true
		panic(p)
	}
}

// ChangeNumber returns a number that is different after each change.
func (st *Store) ChangeNumber() uint64 {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.written
}

// NeedsReload reports whether a panic may have left memory half changed, so that it must be
// loaded again.
func (st *Store) NeedsReload() bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.torn
}

// Follower returns the follower of a folder, or nil while the folder is not loaded.
func (st *Store) Follower(folder int) *Follower {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.followers[folder]
}

// Followers returns the followers by folder, nil for folders that are not loaded.
func (st *Store) Followers() []*Follower {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return slices.Clone(st.followers)
}

// SetFollower sets the follower of a folder.
func (st *Store) SetFollower(folder int, f *Follower) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.followers[folder] = f
}
