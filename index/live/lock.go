package live

import (
	"context"
	"errors"
	"slices"
)

// ReadLocked calls f while nothing changes. f is not to call methods of the Store, nor to wait
// for anything.
func (st *Store) ReadLocked(f func(*Documents)) {
	st.mu.RLock()
	defer st.mu.RUnlock()
	f(&st.documents)
}

// readLocked is ReadLocked for what f returns.
func readLocked[T any](st *Store, f func(*Documents) T) T {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return f(&st.documents)
}

// errWritten says that the documents have changed meanwhile.
var errWritten = errors.New("the index has changed")

// ReadInTurns is ReadLocked for what takes long: f calls pause now and then, which lets those
// change something who wait for that, and whose errors f returns. When they did, what f
// found is void, and it is called again without letting anyone in.
func (st *Store) ReadInTurns(ctx context.Context, f func(d *Documents, pause func() error) error) error {
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
		st.mu.RLock() // after those who wait to write
		if err == nil && st.written != written {
			err = errWritten
		}
		return err
	})
}

// Update calls f, which may change the documents and what Chunks have of them in memory.
// f is not to call methods of the Store, nor to wait for anything. A panic in f may have
// left them half changed: see IsHalfChanged.
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

// ChangeNumber is another number whenever something has changed.
func (st *Store) ChangeNumber() uint64 {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.written
}

// IsHalfChanged reports whether what is in memory may be half changed: it is to be loaded again.
func (st *Store) IsHalfChanged() bool {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.torn
}

// Follower returns the follower of a folder, nil while it is not loaded.
func (st *Store) Follower(folder int) *Follower {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return st.followers[folder]
}

// Followers lists them by folder, nil of those that are not loaded.
func (st *Store) Followers() []*Follower {
	st.mu.RLock()
	defer st.mu.RUnlock()
	return slices.Clone(st.followers)
}

// Register makes a catalogue that of its folder.
func (st *Store) Register(folder int, f *Follower) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.followers[folder] = f
}
