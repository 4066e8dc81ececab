package mcp

import "sync"

// Limits of what a client may request before it reads the answers. One message may be
// larger than all of them.
const (
	mostUnanswered      = 256      // requests
	mostUnansweredBytes = 32 << 20 // of their messages
	mostAhead           = 100      // pings, and requests that wait for room
	mostAheadBytes      = 8 << 20  // of their messages
	mostStreams         = 100      // subscriptions/listen, which are answered when they end
)

// requestLoad is what requests take, from when they are read until their answers are written.
type requestLoad struct{ requests, bytes int }

// requestQuota counts what a client has requested. While there is no room, requests wait, so that
// the pipe slows down a client that asks and does not read. Messages behind them are read up to a
// limit: cancellations, pings and the end.
type requestQuota struct {
	asked *loadLimit // requests
	ahead *loadLimit // pings, which do not wait, and requests that do
}

func newRequestQuota() requestQuota {
	return requestQuota{newLoadLimit(requestLoad{mostUnanswered, mostUnansweredBytes}), newLoadLimit(requestLoad{mostAhead, mostAheadBytes})}
}

// loadLimit is a load that is full from most on.
type loadLimit struct {
	most requestLoad
	less chan struct{} // holds a token when it has become less

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

// addIfRoom adds a load if there is room for it. There always is for an empty load.
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

// waitForRoom waits until there is room for another request, or end is closed.
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
