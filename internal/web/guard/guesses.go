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

// AddFailure counts one that was wrong.
func (g *FailureLimiter) AddFailure(who string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.resetEachMinute()
	g.sum++
	if len(g.wrong) < mostAskers {
		g.wrong[who] = true
	}
}

// Allow tells whether somebody may try.
func (g *FailureLimiter) Allow(who string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.resetEachMinute()
	return g.sum < g.all || !g.wrong[who]
}

// resetEachMinute begins the next minute when the one before is over. It is called with g.mu held.
func (g *FailureLimiter) resetEachMinute() {
	if now := time.Now(); now.Sub(g.since) >= time.Minute {
		g.since, g.sum = now, 0
		clear(g.wrong)
	}
}
