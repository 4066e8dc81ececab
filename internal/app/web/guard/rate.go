package guard

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// RateLimiter limits the rate of requests of each client: a user or an address.
type RateLimiter struct {
	every rate.Limit
	burst int

	mu    sync.Mutex
	of    map[string]*rate.Limiter
	swept time.Time
}

// maxClients is the maximum number of clients that are tracked.
const maxClients = 10_000

// NewRateLimiter returns a limiter that allows perSecond requests a second on average, and a burst
// of four times as many.
func NewRateLimiter(perSecond float64) *RateLimiter {
	return &RateLimiter{every: rate.Limit(perSecond), burst: max(1, int(4*perSecond)), of: make(map[string]*rate.Limiter)}
}

// Allow counts a number of requests of a client, and reports whether they are within the limit.
func (r *RateLimiter) Allow(client string, count int) bool {
	now := time.Now()
	r.mu.Lock()
	a := r.of[client]
	if a == nil {
		r.forgetIdle(now)
		a = rate.NewLimiter(r.every, r.burst)
		r.of[client] = a
	}
	r.mu.Unlock()
	return a.AllowN(now, min(count, r.burst))
}

// forgetIdle forgets clients whose whole burst is available again and, if there are still too many,
// arbitrary others. The caller holds r.mu.
func (r *RateLimiter) forgetIdle(now time.Time) {
	if now.Sub(r.swept) > time.Minute || len(r.of) >= maxClients && now.Sub(r.swept) > time.Second {
		r.swept = now
		for who, a := range r.of {
			if a.TokensAt(now) >= float64(r.burst) {
				delete(r.of, who)
			}
		}
	}
	for who := range r.of {
		if len(r.of) < maxClients {
			return
		}
		delete(r.of, who)
	}
}

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
