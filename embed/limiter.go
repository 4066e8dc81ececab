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
	firstRequests    = 4  // in flight at first
	mostRequests     = 16 // in flight at most
	mostRequestsHere = 8  // likewise for a server on this machine, which shares its processors
)

// concurrencyLimiter limits the requests in flight to what the server can bear: one more
// for each that succeeds, half as many when the server asks to slow down. It does not
// grow while requests take longer because they are many.
type concurrencyLimiter struct {
	most    int
	patient float64 // how many times the best time a request may take while the limit grows

	mu       sync.Mutex
	limit    float64
	cautious bool // after the first cut, grow by one a round instead of one a request
	inFlight int
	queue    []waiter // lowest ticket first
	cutAt    time.Time

	// best holds the best time of a request in seconds, by the size of the
	// request: those of one size compare.
	best map[int]float64
}

// newConcurrencyLimiter returns that of a server: here is whether it is on this machine,
// where time that grows with the number of requests means that they only wait
// for each other. Elsewhere it is often the network.
func newConcurrencyLimiter(here bool) *concurrencyLimiter {
	l := &concurrencyLimiter{most: mostRequests, patient: 2, limit: firstRequests, best: make(map[int]float64)}
	if here {
		l.most, l.patient = mostRequestsHere, 1.5
	}
	return l
}

// waiter is a request that waits for its place.
type waiter struct {
	ticket int64
	turn   chan struct{}
}

// acquire waits for a slot. The lowest ticket comes first, so that calls that began first
// finish first. The caller must release a slot acquired without an error.
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
	} else { // the place came at the same time
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

// admitWaiters lets waiters in, as far as there is room.
func (l *concurrencyLimiter) admitWaiters() {
	for len(l.queue) > 0 && l.inFlight < int(l.limit) {
		l.inFlight++
		close(l.queue[0].turn)
		l.queue = l.queue[1:]
	}
}

// succeeded records that a request of so many tokens was answered.
func (l *concurrencyLimiter) succeeded(tokens int, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	slow := l.isSlow(tokens, took.Seconds())
	switch {
	case l.inFlight < int(l.limit): // what is not used is not known to be borne
	case slow:
	case l.cautious:
		l.limit = min(l.limit+1/l.limit, float64(l.most))
	default:
		l.limit = min(l.limit+1, float64(l.most))
	}
	l.admitWaiters()
}

// isSlow reports whether a request took much longer than those of its size can.
func (l *concurrencyLimiter) isSlow(tokens int, seconds float64) bool {
	const fade = 1.002 // doubles in 350 requests, as a server may become slower for good
	size := bits.Len(uint(tokens))
	best, ok := l.best[size]
	if !ok {
		best = seconds
	}
	best = min(best*fade, seconds)
	l.best[size] = best
	return seconds > l.patient*best
}

// halveLimit halves the limit, once for all requests that were in flight together: began
// is when the failed one was sent.
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
