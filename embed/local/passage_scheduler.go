package local

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// passageScheduler makes batches of passages wait for queries, and limits how many run
// concurrently.
type passageScheduler struct {
	// passageCall admits one call with passages at a time, so that the first call ends, and its
	// vectors can be saved, before the last one begins.
	passageCall *semaphore.Weighted
	places      *semaphore.Weighted // slots for batches of passages
	placeCount  int64               // number of slots

	mu          sync.Mutex
	questions   int           // number of queries in progress
	noQuestions chan struct{} // closed while there are none
}

func newPassageScheduler(places int) *passageScheduler {
	all := int64(places)
	t := &passageScheduler{passageCall: semaphore.NewWeighted(1), places: semaphore.NewWeighted(all), placeCount: all, noQuestions: make(chan struct{})}
	close(t.noQuestions)
	return t
}

// beginQuestion makes passages wait until end is called.
func (t *passageScheduler) beginQuestion() (end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.questions++; t.questions == 1 {
		t.noQuestions = make(chan struct{})
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.questions--; t.questions == 0 {
			close(t.noQuestions)
		}
	}
}

// awaitQuestions waits until no question is being embedded, or ctx is done.
func (t *passageScheduler) awaitQuestions(ctx context.Context) {
	for {
		t.mu.Lock()
		none, questions := t.noQuestions, t.questions
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

// batchPlaces returns how many slots a batch of passages occupies: all of them on battery, so that
// only one processor is used.
func (t *passageScheduler) batchPlaces() int64 {
	if onBattery(powerSupplies) {
		return t.placeCount
	}
	return 1
}
