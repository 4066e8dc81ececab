package guard

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// RateLimiter bounds how often each of many may ask: users, or addresses.
type RateLimiter struct {
	every rate.Limit
	burst int

	mu    sync.Mutex
	of    map[string]*rate.Limiter
	swept time.Time
}

// mostAskers are remembered; a flood of addresses does not fill the memory.
const mostAskers = 10_000

// NewRateLimiter allows so many requests a second, and at once four times as many.
func NewRateLimiter(perSecond float64) *RateLimiter {
	return &RateLimiter{every: rate.Limit(perSecond), burst: max(1, int(4*perSecond)), of: make(map[string]*rate.Limiter)}
}

// Allow counts a request, or so many, and tells whether it is in bounds.
func (r *RateLimiter) Allow(who string, count int) bool {
	now := time.Now()
	r.mu.Lock()
	a := r.of[who]
	if a == nil {
		r.forgetIdle(now)
		a = rate.NewLimiter(r.every, r.burst)
		r.of[who] = a
	}
	r.mu.Unlock()
	return a.AllowN(now, min(count, r.burst))
}

// forgetIdle drops those who have all of their burst again, and if there are too many
// anyone. It is called with r.mu held.
func (r *RateLimiter) forgetIdle(now time.Time) {
	if now.Sub(r.swept) > time.Minute || len(r.of) >= mostAskers && now.Sub(r.swept) > time.Second {
		r.swept = now
		for who, a := range r.of {
			if a.TokensAt(now) >= float64(r.burst) {
				delete(r.of, who)
			}
		}
	}
	for who := range r.of {
		if len(r.of) < mostAskers {
			return
		}
		delete(r.of, who)
	}
}
