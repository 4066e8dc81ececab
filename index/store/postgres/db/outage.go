package db

import (
	"context"
	"sync"
	"time"
)

// outage records how long the database has not answered. While another server may replace it,
// queries wait for that; after that, one of them tries from time to time, and the others fail at
// once.
type outage struct {
	mu    sync.Mutex
	since time.Time // zero while the database answers
	tried time.Time // time of the last attempt
	why   error
}

// tryEvery is how often to try a database that has been unreachable for long.
const tryEvery = time.Second

// retryUntil returns the deadline for retries; or an error if there should be no attempt at all.
func (o *outage) retryUntil(patience time.Duration) (until time.Time, why error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := time.Now()
	if o.since.IsZero() {
		return now.Add(patience), nil
	}
	until = o.since.Add(patience)
	if now.Sub(until) > tryEvery {
		if now.Sub(o.tried) < tryEvery {
			return until, o.why
		}
		o.tried = now.Add(QuickTimeout) // no other call waits for the same attempt
	}
	return until, nil
}

// note records the outcome of an attempt; ctx is that of the waiter, not of the attempt.
func (o *outage) note(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case err == nil || !IsDisconnected(err):
		o.since = time.Time{}
		return
	case o.since.IsZero():
		o.since = time.Now()
	}
	o.tried, o.why = time.Now(), err
}
