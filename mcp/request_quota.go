package mcp

import "sync"

// Limits of the requests that a client may send without reading responses. A single message may
// exceed any of them.
const (
	mostUnanswered      = 256      // requests
	mostUnansweredBytes = 32 << 20 // total size of the unanswered requests
	mostAhead           = 100      // pings, and requests that wait until fewer are unanswered
	mostAheadBytes      = 8 << 20  // total size of those
	mostStreams         = 100      // open subscriptions/listen requests, answered at their end
)

// requestLoad is a number of requests and their total size in bytes.
type requestLoad struct{ requests, bytes int }

// requestQuota limits the requests of a client that have been read and whose responses are not
// written yet. At the limit further requests wait, which slows down a client that sends without
// reading. Cancellations, pings and the end of input behind waiting requests are still read, up to
// a second limit.
type requestQuota struct {
	asked *loadLimit // requests in progress
	ahead *loadLimit // pings, which never wait, and waiting requests
}

func newRequestQuota() requestQuota {
	return requestQuota{newLoadLimit(requestLoad{mostUnanswered, mostUnansweredBytes}), newLoadLimit(requestLoad{mostAhead, mostAheadBytes})}
}

// loadLimit counts requests and their size against a limit. It is full once their number or size reaches
// most.
type loadLimit struct {
	most requestLoad
	less chan struct{} // holds a token after the load has decreased

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

// addIfRoom adds a load if the sum stays within the limit, and reports whether it did. To an empty
// limit any load can be added.
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

// waitForRoom waits until the load is not full or end is closed.
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
