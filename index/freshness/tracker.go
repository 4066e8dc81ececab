// Package freshness reports how far the index is behind the saved files. The parts of the program
// that load, index, embed and follow other processes report to it. A query waits here until files
// saved before it are searchable, and obtains notes on what its response may lack.
package freshness

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// Tracker holds the state of an index and wakes those waiting for a change. It is safe for
// concurrent use. Its methods block only if they take a context.
type Tracker struct {
	mu        sync.Mutex
	own       progress.State // of this process
	folders   []folderState  // further state of each folder
	fault     followFault
	shown     progress.State // the combined state, see combinedState
	files     fileCounts
	scans     scanTimes
	questions questionFindings
	losses    int // number of times an index was lost and rebuilt
	life      loadState
	listeners listeners

	hasRecogniser bool // whether a program that recognises text is installed
}

// followFault is the reason why this process cannot follow the stored index.
type followFault struct {
	why       message.Message // "" if it can
	cut, away bool            // see progress.State
}

// listeners holds the channels of those who wait for changes.
type listeners struct {
	state     chan struct{}          // closed at the next change of the state; nil if nobody waits
	documents map[chan struct{}]bool // each receives a token when documents may have changed
}

// NewTracker returns the initial Tracker for a number of folders.
func NewTracker(folders int) *Tracker {
	t := &Tracker{
		folders:   make([]folderState, folders),
		life:      loadState{loaded: make(chan struct{})},
		listeners: listeners{documents: make(map[chan struct{}]bool)},
	}
	t.update(func(s *progress.State) { s.Phase = progress.Loading })
	return t
}

// update changes the state and wakes the waiters. It calls change with the lock held.
func (t *Tracker) update(change func(*progress.State)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.own)
	before, since := t.shown.Phase, t.shown.Since
	t.shown = t.combinedState()
	switch {
	case t.shown.Phase == progress.Ready:
		t.shown.Since = time.Time{}
	case since.IsZero(), before == progress.Loading && t.shown.Phase != progress.Loading:
		t.shown.Since = time.Now()
	default:
		t.shown.Since = since
	}
	if t.listeners.state != nil {
		close(t.listeners.state)
		t.listeners.state = nil
	}
}

// combinedState returns the state of this process combined with the states of the processes that
// have its duties for some folders.
func (t *Tracker) combinedState() progress.State {
	s := t.own
	s.IsDatabaseUnavailable, s.IsDatabaseUnreachable = t.fault.cut, t.fault.away
	if s.Phase == progress.Failed {
		return s
	}
	if !t.indexesAny() {
		s.Phase, s.Done, s.Total, s.Background, s.Synced, s.Failure = progress.Ready, 0, 0, false, time.Now(), ""
		s.RemoveDone, s.RemoveTotal = 0, 0
		s.PagesToRecognise = progress.PagesToRecognise{}
	}
	s.Failure = cmp.Or(s.Failure, t.fault.why)
	for i := range t.folders {
		f := &t.folders[i]
		if f.indexer != nil {
			s = s.Combined(*f.indexer)
		}
		if e := f.embedder; e != nil {
			s.EmbedDue = s.EmbedDue || e.Due
			s.EmbedDone, s.EmbedTotal = s.EmbedDone+e.Done, s.EmbedTotal+e.Total
			s.EmbedFailure = cmp.Or(s.EmbedFailure, message.Message(e.Failure))
			if s.EmbedSince.IsZero() || !e.Since.IsZero() && e.Since.Before(s.EmbedSince) {
				s.EmbedSince = e.Since
			}
		}
	}
	return s
}

// indexesAny reports whether this process indexes any folder.
func (t *Tracker) indexesAny() bool {
	for i := range t.folders {
		if t.folders[i].indexer == nil {
			return true
		}
	}
	return false
}

// OwnState returns the state of this process alone.
func (t *Tracker) OwnState() progress.State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.own
}

// CombinedState returns the state of this process combined with the states of the processes that
// have its duties for some folders.
func (t *Tracker) CombinedState() progress.State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown
}

// SetFollowError records why this process cannot follow the stored index, nil if it can.
func (t *Tracker) SetFollowError(err error) {
	now := followFault{away: errors.Is(err, catalog.ErrUnreachable)}
	now.cut = now.away || errors.Is(err, catalog.ErrSetupRequired)
	if err != nil {
		now.why = message.FromError(err)
	}
	t.mu.Lock()
	same := t.fault == now
	t.fault = now
	t.mu.Unlock()
	if !same {
		t.update(func(*progress.State) {})
	}
}

// RecordFatal records an error that makes the index unusable.
func (t *Tracker) RecordFatal(err error) {
	t.update(func(s *progress.State) { s.Phase, s.Failure = progress.Failed, message.FromError(err) })
}

// RecordIndexLost records that an index was lost and replaced.
func (t *Tracker) RecordIndexLost() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.losses++
}

// WaitState blocks until ok accepts the state, or until ctx ends; then it returns its error.
func (t *Tracker) WaitState(ctx context.Context, ok func(progress.State) bool) error {
	for {
		t.mu.Lock()
		if t.listeners.state == nil {
			t.listeners.state = make(chan struct{})
		}
		shown, changed := t.shown, t.listeners.state
		t.mu.Unlock()
		if ok(shown) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// SignalChange notifies listeners that documents may have changed.
func (t *Tracker) SignalChange() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for c := range t.listeners.documents {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// Changes returns a channel that receives a token when documents may have changed, until ctx ends.
// At most one token is pending.
func (t *Tracker) Changes(ctx context.Context) <-chan struct{} {
	c := make(chan struct{}, 1)
	t.mu.Lock()
	t.listeners.documents[c] = true
	t.mu.Unlock()
	context.AfterFunc(ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.listeners.documents, c)
	})
	return c
}
