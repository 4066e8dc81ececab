package guard

import (
	"sync"
	"time"
)

// GlobalFailureLimiter limits the failures of all clients together, so that an attacker with many
// addresses is limited, too. A client that has not failed before in the same minute is not limited.
type GlobalFailureLimiter struct {
	all int // maximum number of failures per minute

	mu    sync.Mutex
	wrong map[string]bool // clients that have failed in this minute
	sum   int
	since time.Time
}

// NewGlobalFailureLimiter returns a limiter that allows perMinute failures in a minute.
func NewGlobalFailureLimiter(perMinute int) *GlobalFailureLimiter {
	return &GlobalFailureLimiter{all: perMinute, wrong: make(map[string]bool)}
}

// AddFailure counts a failure of a client. If there are too many and the client has failed before
// in this minute, it returns how long the client has to wait; otherwise 0.
func (g *GlobalFailureLimiter) AddFailure(client string) (wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := time.Now()
	if now.Sub(g.since) >= time.Minute {
		g.since, g.sum = now, 0
		clear(g.wrong)
	}
	if g.sum >= g.all && g.wrong[client] {
		wait = time.Minute - now.Sub(g.since)
	}
	g.sum++
	if len(g.wrong) < maxClients {
		g.wrong[client] = true
	}
	return wait
}
