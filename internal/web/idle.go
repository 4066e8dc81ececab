package web

import (
	"sync"
	"time"
)

// idleTimer tells when nobody has asked for anything for long, and no stream is open.
type idleTimer struct {
	most time.Duration
	over chan struct{} // closed then

	mu    sync.Mutex
	busy  int // requests under way
	timer *time.Timer
}

// newIdleTimer begins to count; most is 0 where a server waits for ever.
func newIdleTimer(most time.Duration) *idleTimer {
	i := &idleTimer{most: most, over: make(chan struct{})}
	if most > 0 {
		i.timer = time.AfterFunc(most, i.onTimeout)
	}
	return i
}

// beginRequest counts a request until done is called.
func (i *idleTimer) beginRequest() (done func()) {
	if i.timer == nil {
		return func() {}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.busy++
	i.timer.Stop()
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.busy--; i.busy == 0 {
			i.timer.Reset(i.most)
		}
	}
}

// onTimeout is called when the time is over, perhaps just when a request has come.
func (i *idleTimer) onTimeout() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.busy > 0 {
		return
	}
	select {
	case <-i.over:
	default:
		close(i.over)
	}
}
