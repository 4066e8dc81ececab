package mcp

import "sync"

// Limits of the requests that a client may send before it reads responses. A single message may
// exceed all of them.
const (
	mostUnanswered      = 256      // requests
	mostUnansweredBytes = 32 << 20 // total size of their messages
	mostAhead           = 100      // pings, and requests that wait for capacity
	mostAheadBytes      = 8 << 20  // total size of their messages
	mostStreams         = 100      // open subscriptions/listen requests, answered at their end
)

// requestLoad is the load of requests, from being read until their responses are written.
type requestLoad struct{ requests, bytes int }

// requestQuota tracks the requests of a client. At capacity, requests wait, so that the pipe slows
// down a client that sends requests and does not read. Messages behind them are read up to a limit:
// cancellations, pings and the end of input.
type requestQuota struct {
	asked *loadLimit // requests
	ahead *loadLimit // pings, which do not wait, and waiting requests
}

func newRequestQuota() requestQuota {
	return requestQuota{newLoadLimit(requestLoad{mostUnanswered, mostUnansweredBytes}), newLoadLimit(requestLoad{mostAhead, mostAheadBytes})}
}

// loadLimit tracks a load, which is full when it reaches most.
type loadLimit struct {
	most requestLoad
	less chan struct{} // holds a token if the load has decreased

	mu   sync.Mutex
	held requestLoad
}

func newLoadLimit(most requestLoad) *loadLimit {
	return &loadLimit{most: most, less: make(chan struct{}, 1)}
}

func (l *loadLimit) add(more requestLoad) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held.requests += more.requests
	l.held.bytes += more.bytes
}

// addIfRoom adds a load if it fits. Any load fits if there is none yet.
func (l *loadLimit) addIfRoom(more requestLoad) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := requestLoad{l.held.requests + more.requests, l.held.bytes + more.bytes}
	if more != (requestLoad{}) && (sum.requests > l.most.requests || sum.bytes > l.most.bytes) {
		return false
	}
	l.held = sum
	return true
}

func (l *loadLimit) subtract(back requestLoad) {
	l.add(requestLoad{-back.requests, -back.bytes})
	select {
	case l.less <- struct{}{}:
	default:
	}
}

// waitForRoom waits until another request fits, or end is closed.
func (l *loadLimit) waitForRoom(end <-chan struct{}) {
	for l.isFull() {
		select {
		case <-l.less:
		case <-end:
			return
		}
	}
}

func (l *loadLimit) isFull() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.held.requests >= l.most.requests || l.held.bytes >= l.most.bytes
}
