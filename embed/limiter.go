package embed

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"sync"
	"time"
)

const (
	firstRequests    = 4  // initial number in flight
	mostRequests     = 16 // maximum number in flight
	mostRequestsHere = 8  // the same for a server on this machine, which shares its processors
)

// concurrencyLimiter limits the requests in flight to what the server can handle: one more for each
// that succeeds, half as many if the server asks to slow down. The limit does not grow while
// requests take longer because there are many.
type concurrencyLimiter struct {
	most    int
	patient float64 // multiple of the best time that a request may take for the limit to grow

	mu    sync.Mutex
	limit float64
	// after the first cut, the limit grows by one per round instead of one per request
	cautious bool
	inFlight int
	queue    []waiter // lowest ticket first
	cutAt    time.Time

	// best holds the best time of a request in seconds, by the size of the request, because only
	// requests of the same size are comparable.
	best map[int]float64
}

// newConcurrencyLimiter returns the limiter for a server. here means that it is on this machine: if
// times grow with the number of requests, they only wait for each other there, whereas elsewhere
// the cause is often the network.
func newConcurrencyLimiter(here bool) *concurrencyLimiter {
	l := &concurrencyLimiter{most: mostRequests, patient: 2, limit: firstRequests, best: make(map[int]float64)}
	if here {
		l.most, l.patient = mostRequestsHere, 1.5
	}
	return l
}

// waiter is a request that waits for a slot.
type waiter struct {
	ticket int64
	turn   chan struct{}
}

// acquire waits for a slot. The lowest ticket comes first, so that calls that began first finish
// first. If acquire succeeds, the caller must release the slot.
func (l *concurrencyLimiter) acquire(ctx context.Context, ticket int64) error {
	l.mu.Lock()
	if len(l.queue) == 0 && l.inFlight < int(l.limit) {
		l.inFlight++
		l.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	at, _ := slices.BinarySearchFunc(l.queue, ticket+1, func(w waiter, t int64) int { return cmp.Compare(w.ticket, t) })
	l.queue = slices.Insert(l.queue, at, waiter{ticket, turn})
	l.mu.Unlock()

	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.queue, func(w waiter) bool { return w.turn == turn }); i >= 0 {
		l.queue = slices.Delete(l.queue, i, i+1)
	} else { // the slot was granted at the same time
		l.inFlight--
		l.admitWaiters()
	}
	return ctx.Err()
}

func (l *concurrencyLimiter) release() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight--
	l.admitWaiters()
}

// admitWaiters grants slots to waiters, as far as there are any.
func (l *concurrencyLimiter) admitWaiters() {
	for len(l.queue) > 0 && l.inFlight < int(l.limit) {
		l.inFlight++
		close(l.queue[0].turn)
		l.queue = l.queue[1:]
	}
}

// succeeded records that a request of the given number of tokens was answered.
func (l *concurrencyLimiter) succeeded(tokens int, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	slow := l.isSlow(tokens, took.Seconds())
	switch {
	case l.inFlight < int(l.limit): // a limit that is not reached has not been tested
	case slow:
	case l.cautious:
		l.limit = min(l.limit+1/l.limit, float64(l.most))
	default:
		l.limit = min(l.limit+1, float64(l.most))
	}
	l.admitWaiters()
}

// isSlow reports whether a request took much longer than the best of its size.
func (l *concurrencyLimiter) isSlow(tokens int, seconds float64) bool {
	const fade = 1.002 // doubles in 350 requests, because a server may become slower permanently
	size := bits.Len(uint(tokens))
	best, ok := l.best[size]
	if !ok {
		best = seconds
	}
	best = min(best*fade, seconds)
	l.best[size] = best
	return seconds > l.patient*best
}

// halveLimit halves the limit, only once for all requests that were in flight together: began is
// when the failed request was sent.
func (l *concurrencyLimiter) halveLimit(began time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if began.Before(l.cutAt) {
		return
	}
	l.cutAt = time.Now()
	l.cautious = true
	l.limit = max(l.limit/2, 1)
}
