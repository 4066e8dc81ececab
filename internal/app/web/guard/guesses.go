package guard

import (
	"sync"
	"time"
)

// FailureLimiter limits the failures of all clients together, so that an attacker with many
// addresses is limited as well. A client without a previous failure in the same minute is not
// limited.
type FailureLimiter struct {
	all int // maximum per minute

	mu    sync.Mutex
	wrong map[string]bool // clients that have failed in this minute
	sum   int
	since time.Time
}

// NewFailureLimiter returns a limiter that allows a number of failures per minute.
func NewFailureLimiter(perMinute int) *FailureLimiter {
	return &FailureLimiter{all: perMinute, wrong: make(map[string]bool)}
}

// AddFailure counts a failure of a client. If the limit is exceeded and the client has failed
// before, it returns how long the client has to wait; otherwise 0.
func (g *FailureLimiter) AddFailure(who string) (wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if now.Sub(g.since) >= time.Minute {
		g.since, g.sum = now, 0
		clear(g.wrong)
	}
	if g.sum >= g.all && g.wrong[who] {
		wait = time.Minute - now.Sub(g.since)
	}
	g.sum++
	if len(g.wrong) < maxClients {
		g.wrong[who] = true
	}
	return wait
}
