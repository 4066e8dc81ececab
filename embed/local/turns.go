package local

import (
	"context"
	"sync"
)

// turns has passages wait for questions, and for each other.
type turns struct {
	places chan struct{} // for batches of passages

	mu        sync.Mutex
	questions int           // under way
	none      chan struct{} // closed while there are none
}

func newTurns(places int) *turns {
	t := &turns{places: make(chan struct{}, places), none: make(chan struct{})}
	close(t.none)
	return t
}

// ask has passages wait until end is called.
func (t *turns) ask() (end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.questions++; t.questions == 1 {
		t.none = make(chan struct{})
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.questions--; t.questions == 0 {
			close(t.none)
		}
	}
}

// yield waits while there are questions, or until ctx is done.
func (t *turns) yield(ctx context.Context) {
	for {
		t.mu.Lock()
		none, questions := t.none, t.questions
		t.mu.Unlock()
		if questions == 0 {
			return
		}
		select {
		case <-none:
		case <-ctx.Done():
			return
		}
	}
}

// take waits for a place, which is to be given back, and tells whether there was one
// before ctx was done.
func (t *turns) take(ctx context.Context) bool {
	select {
	case t.places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (t *turns) give() { <-t.places }
