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
