package embed

import (
	"context"
	"sync"
	"time"
)

const (
	firstCoolOff = time.Second
	lastCoolOff  = 5 * time.Second
)

// circuit remembers that a service failed, so that nobody waits for it again
// and again. After a cool-off one request of each kind may try whether it is
// back: a question does not wait for a batch of passages to find out.
type circuit struct {
	mu      sync.Mutex
	reason  error // nil while the service is well
	until   time.Time
	coolOff time.Duration
	trying  [2]chan struct{} // by Kind; closed when the request is through
}

// refuses returns the reason to send nothing of this kind now, or nil.
func (c *circuit) refuses(kind Kind) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refusal(kind)
}

// refusal spares a question the wait for another that tries; passages wait.
func (c *circuit) refusal(kind Kind) error {
	if c.reason != nil && (time.Now().Before(c.until) || kind == Query && c.trying[kind] != nil) {
		return c.reason
	}
	return nil
}

// enter is called before a request and fails as refuses does, or when ctx ends
// while another request tries. The function it returns is to be called after
// the request, whatever came of it.
func (c *circuit) enter(ctx context.Context, kind Kind) (leave func(), err error) {
	for {
		c.mu.Lock()
		trying := c.trying[kind]
		if err := c.refusal(kind); err != nil || c.reason == nil {
			c.mu.Unlock()
			return func() {}, err
		}
		if trying == nil {
			c.trying[kind] = make(chan struct{})
			c.mu.Unlock()
			return func() { c.leave(kind) }, nil
		}
		c.mu.Unlock()
		select {
		case <-trying:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (c *circuit) leave(kind Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.trying[kind])
	c.trying[kind] = nil
}

// succeeded tells that the service is well.
func (c *circuit) succeeded() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reason, c.coolOff = nil, 0
}

// failed tells that it is not. Requests that were under way together start one
// cool-off.
func (c *circuit) failed(reason error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if c.reason != nil && now.Before(c.until) {
		return
	}
	c.reason = reason
	c.coolOff = min(max(2*c.coolOff, firstCoolOff), lastCoolOff)
	c.until = now.Add(c.coolOff)
}
