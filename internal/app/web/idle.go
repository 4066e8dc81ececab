package web

import (
	"sync"
	"time"
)

// idleTimer detects that no request has come for a time, and that no stream is open.
type idleTimer struct {
	most time.Duration
	over chan struct{} // closed then

	mu    sync.Mutex
	busy  int // requests under way
	timer *time.Timer
}

// newIdleTimer starts the timer; if most is 0 it never expires.
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

// onTimeout is called when the timer expires, which may be just when a request arrives.
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
