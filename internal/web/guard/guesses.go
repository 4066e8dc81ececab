package guard

import (
	"sync"
	"time"
)

// FailureLimiter bounds how often all together try what turns out wrong, so that many addresses
// are no way around the bounds of each. Whoever has not been wrong lately is not
// concerned.
type FailureLimiter struct {
	all int // in a minute

	mu    sync.Mutex
	wrong map[string]bool // who was in this minute
	sum   int
	since time.Time
}

// NewFailureLimiter allows so many in a minute.
func NewFailureLimiter(perMinute int) *FailureLimiter {
	return &FailureLimiter{all: perMinute, wrong: make(map[string]bool)}
}

// AddFailure counts one that was wrong. Where all have tried too many, and this one before, wait is
// how long there are no more of it, 0 otherwise.
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
	if len(g.wrong) < mostAskers {
		g.wrong[who] = true
	}
	return wait
}
