package embed

import (
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
	trying  [2]bool // by Kind
}

// refuses returns the reason to send nothing of this kind now, or nil.
func (c *circuit) refuses(kind Kind) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refusal(kind)
}

func (c *circuit) refusal(kind Kind) error {
	if c.reason != nil && (c.trying[kind] || time.Now().Before(c.until)) {
		return c.reason
	}
	return nil
}

// enter is called before a request and fails as refuses does. The function it
// returns is to be called after the request, whatever came of it.
func (c *circuit) enter(kind Kind) (leave func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.refusal(kind); err != nil {
		return nil, err
	}
	if c.reason == nil {
		return func() {}, nil
	}
	c.trying[kind] = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.trying[kind] = false
	}, nil
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
