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

// circuitBreaker remembers that a service failed, so that callers do not wait for it again and
// again. After a cool-off period, one request of each kind may test whether it is available again:
// a query does not wait for a batch of passages to find out.
type circuitBreaker struct {
	mu      sync.Mutex
	reason  error // nil while the service is healthy
	until   time.Time
	coolOff time.Duration
	trying  [2]chan struct{} // the test request in progress, by the kind of text; closed when it has ended
}

// openReason returns the reason not to send requests of this kind now; nil if there is none.
func (c *circuitBreaker) openReason(kind TextKind) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.blockingReason(kind)
}

// blockingReason returns the reason not to send requests of this kind now; nil if there is none.
// While another request tests whether the service works again, it blocks queries, but lets passages
// wait for the result. The caller holds mu.
func (c *circuitBreaker) blockingReason(kind TextKind) error {
	if c.reason != nil && (time.Now().Before(c.until) || kind == Query && c.trying[kind] != nil) {
		return c.reason
	}
	return nil
}

// enter must be called before a request. It returns the error of openReason, or an error if ctx
// ends while another request tests the service. leave must be called after the request, whatever
// its result.
func (c *circuitBreaker) enter(ctx context.Context, kind TextKind) (leave func(), err error) {
	for {
		c.mu.Lock()
		trying := c.trying[kind]
		if err := c.blockingReason(kind); err != nil || c.reason == nil {
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

func (c *circuitBreaker) leave(kind TextKind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.trying[kind])
	c.trying[kind] = nil
}

// succeeded records that the service is healthy.
func (c *circuitBreaker) succeeded() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reason, c.coolOff = nil, 0
}

// failed records that the service failed. Requests that were in flight together start only one
// cool-off period.
func (c *circuitBreaker) failed(reason error) {
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
