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

// loadState is how far a process has come with an index.
type loadState struct {
	loaded  chan struct{} // closed when loading is through
	err     error         // why it failed
	reached bool          // a catalogue could be opened, or was refused: whatever keeps it has answered
	serving bool          // a server keeps the index up to date, and hears of other processes
}

// SetLoaded notes that the catalogues are in memory.
func (t *Tracker) SetLoaded() {
	t.update(func(s *progress.State) { s.Phase = progress.Scanning })
	t.SignalChange()
}

// EndLoading notes that loading is through. It is called once.
func (t *Tracker) EndLoading(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.life.err = err
	close(t.life.loaded)
}

// WaitLoaded blocks until loading is through, and returns its error, or that of ctx.
// Before that nothing can be said of what the documents hold.
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

// SetReached notes that what keeps the index has answered.
func (t *Tracker) SetReached() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.life.reached = true
}

func (t *Tracker) isReached() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.life.reached
}

// SetServing notes whether a server keeps the index up to date.
func (t *Tracker) SetServing(serving bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.life.serving = serving
}

// IsServing reports whether one does: it hears of other processes, and reports what is
// wrong with a database.
func (t *Tracker) IsServing() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.life.serving
}

// loadingPatience is how long a request waits for a stored index to be loaded:
// until then nothing can be said of what the documents hold. Hosts give a call
// about a minute, in which there must be time for the rest.
var loadingPatience = map[Purpose]time.Duration{ForAnswer: 45 * time.Second, ForSync: 20 * time.Second, ForCompletion: Patience}

// waitLoaded waits for the index to be loaded, and fails when there is none to answer
// from.
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
	case s.Away:
		return message.Errorf("the index cannot be used yet: %v", catalog.ErrUnreachable)
	case f.isDatabaseUnheard():
		return fmt.Errorf("the index cannot be used yet: %w, or answers slowly: ask again in a moment", catalog.ErrUnreachable)
	case s.Failure != "":
		return message.Errorf("the index cannot be used yet: %v", s.Failure)
	}
	return errors.New("the index is still being loaded, nothing can be said yet of what the documents hold: ask again in a moment")
}

// reachPatience is how long a database is waited for that has said nothing yet.
const reachPatience = 5 * time.Second

// awaitLoading waits for loading to be through, and reports whether it is. Where that fails,
// or cannot begin as a database says nothing, it does not wait as long as loading may take.
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
		case waited >= patience, waited >= Patience && f.State().Failure != "", waited >= reachPatience && f.isDatabaseUnheard():
			return false
		}
	}
}

// isDatabaseUnheard reports whether nothing was heard yet of a database that keeps the index.
func (f *Freshness) isDatabaseUnheard() bool {
	for _, folder := range f.from.Folders {
		if folder.Storage.IsShared() && !f.isReached() {
			return true
		}
	}
	return false
}
