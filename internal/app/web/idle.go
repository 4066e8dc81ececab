package web

import (
	"sync"
	"time"
)

// idleTimer detects that there has been no request for some time and no stream is open.
type idleTimer struct {
	most time.Duration
	over chan struct{} // closed when the timer expires

	mu    sync.Mutex
	busy  int // number of requests in progress
	timer *time.Timer
}

// newIdleTimer starts a timer that expires after most; if most is 0, it never does.
func newIdleTimer(most time.Duration) *idleTimer {
	i := &idleTimer{most: most, over: make(chan struct{})}
	if most > 0 {
		i.timer = time.AfterFunc(most, i.onTimeout)
	}
	return i
}

// beginRequest counts a request as in progress until done is called.
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

// onTimeout reports, by closing i.over, that the timer has expired, unless a request has begun at the
// same time.
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
