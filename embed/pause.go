package embed

import (
	"context"
	"sync"
	"time"

	"vademecum/internal/base/message"
)

// longestPause is the maximum time that passages wait if a server asks for a pause.
const longestPause = 2 * time.Minute

// retryPause is the time until which a server wants no requests (Retry-After).
type retryPause struct {
	mu     sync.Mutex
	until  time.Time
	reason error
}

func (p *retryPause) extend(until time.Time, reason error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if until.After(p.until) {
		p.until, p.reason = until, reason
	}
}

func (p *retryPause) timeLeft() (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Until(p.until), p.reason
}

// wait returns once requests are permitted again. It returns an error at once for a query, whose
// answer is soon useless, and if the server asks for too long a pause.
func (p *retryPause) wait(ctx context.Context, kind TextKind) error {
	for {
		left, reason := p.timeLeft()
		switch {
		case left <= 0:
			return nil
		case kind == Query || left > longestPause:
			return &requestFailure{
				message: message.New("%v (it asks to wait %s)", reason, roundUp(left)),
				general: true,
				cause:   reason,
			}
		}
		if err := sleepContext(ctx, left); err != nil {
			return err
		}
	}
}

func roundUp(d time.Duration) time.Duration {
	return (d + time.Second - 1).Truncate(time.Second)
}

// sleepContext waits for d, or until ctx is done and then returns its error.
func sleepContext(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
