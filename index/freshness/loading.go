package freshness

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// loadState is the state of loading an index.
type loadState struct {
	loaded  chan struct{} // closed when loading has ended
	err     error         // why loading failed; nil if it did not
	reached bool          // whether a catalogue was opened or refused, so that its storage has responded
	serving bool          // whether this process is a server, see IsServing
}

// SetLoaded records that the catalogues are loaded into memory.
func (t *Tracker) SetLoaded() {
	t.update(func(s *progress.State) { s.Phase = progress.Scanning })
	t.SignalChange()
}

// EndLoading records that loading has ended, with its error. It must be called only once.
func (t *Tracker) EndLoading(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.life.err = err
	close(t.life.loaded)
}

// WaitLoaded blocks until loading has ended, and returns its error or that of ctx. Until then the
// content of documents is unknown.
func (t *Tracker) WaitLoaded(ctx context.Context) error {
	select {
	case <-t.life.loaded:
		return t.loadingErr()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *Tracker) loadingErr() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.life.err
}

// SetStorageReachable records that the storage of the index has responded.
func (t *Tracker) SetStorageReachable() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.life.reached = true
}

func (t *Tracker) isReached() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.life.reached
}

// SetServing records whether this process is a server that keeps the index up to date.
func (t *Tracker) SetServing(serving bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.life.serving = serving
}

// IsServing reports whether this process is a server: it listens to other processes, and reports
// problems of the database.
func (t *Tracker) IsServing() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.life.serving
}

// loadingPatience is how long a request waits for a stored index to be loaded; until then the
// content of documents is unknown. Hosts limit a call to about a minute, which must leave time for
// the rest.
var loadingPatience = map[Purpose]time.Duration{ForAnswer: 45 * time.Second, ForSync: 20 * time.Second, ForCompletion: WaitTimeout}

// waitLoaded waits for the index to be loaded, and fails if it cannot be used yet.
func (f *Freshness) waitLoaded(ctx context.Context, patience time.Duration) error {
	through := f.awaitLoading(ctx, patience)
	switch err := f.loadingErr(); {
	case ctx.Err() != nil:
		return ctx.Err()
	case through && err != nil:
		return fmt.Errorf("the index cannot be used: %w", err)
	case through:
		return nil
	}
	s := f.State()
	switch {
	case s.IsDatabaseUnreachable:
		return message.Errorf("the index cannot be used yet: %v", catalog.ErrUnreachable)
	case f.isDatabaseUnheard():
		return fmt.Errorf("the index cannot be used yet: %w, or answers slowly: ask again in a moment", catalog.ErrUnreachable)
	case s.Failure != "":
		return message.Errorf("the index cannot be used yet: %v", s.Failure)
	}
	return errors.New("the index is still being loaded, nothing can be said yet of what the documents hold: ask again in a moment")
}

// reachPatience is how long to wait for the first response of a database.
const reachPatience = 5 * time.Second

// awaitLoading waits for loading to end, and reports whether it has. It waits less than patience if
// loading fails, or cannot begin because a database does not respond.
func (f *Freshness) awaitLoading(ctx context.Context, patience time.Duration) bool {
	begun, tick := time.Now(), time.NewTicker(50*time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-f.life.loaded:
			return true
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
		switch waited := time.Since(begun); {
		case waited >= patience, waited >= WaitTimeout && f.State().Failure != "", waited >= reachPatience && f.isDatabaseUnheard():
			return false
		}
	}
}

// isDatabaseUnheard reports whether the database that stores the index has not responded yet.
func (f *Freshness) isDatabaseUnheard() bool {
	for _, folder := range f.from.Folders {
		if folder.Storage.Describe().IsShared && !f.isReached() {
			return true
		}
	}
	return false
}
