package local

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// turns has passages wait for questions, and for each other.
type turns struct {
	// next is of one, held by the call whose passages take places now: so the first call is
	// through, and what it gave can be saved, before the last one begins.
	next   *semaphore.Weighted
	places *semaphore.Weighted // for batches of passages
	all    int64               // of the places

	mu        sync.Mutex
	questions int           // under way
	none      chan struct{} // closed while there are none
}

func newTurns(places int) *turns {
	all := int64(places)
	t := &turns{next: semaphore.NewWeighted(1), places: semaphore.NewWeighted(all), all: all, none: make(chan struct{})}
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

// share is how many places a batch of passages takes: all of them on battery, where one
// processor has to do.
func (t *turns) share() int64 {
	if onBattery(powerSupplies) {
		return t.all
	}
	return 1
}
