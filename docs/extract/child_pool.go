package extract

import (
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// childLimits are what one file may take.
type childLimits struct {
	children int           // at the same time
	start    time.Duration // for a child, or an engine in it, to start
	file     time.Duration // for a file, beyond what its pages earn
	page     time.Duration // that a page with text earns
	blank    time.Duration // that a page without text earns
	most     time.Duration // for a file, whatever it earns
	idle     time.Duration // that a child waits for the next file
	memory   uint64        // bytes of a child
}

var children = newChildPool(childLimits{
	children: min(runtime.NumCPU(), 4), // each may take its memory
	start:    time.Minute,
	file:     8 * time.Second,
	page:     250 * time.Millisecond,
	blank:    25 * time.Millisecond,
	most:     5 * time.Minute,
	idle:     30 * time.Second,
	memory:   500 << 20,
})

// A childPool keeps children for the next file.
type childPool struct {
	limits childLimits
	slots  chan struct{} // one for each file that is being read

	mu   sync.Mutex
	idle []*child
}

func newChildPool(l childLimits) *childPool {
	return &childPool{limits: l, slots: make(chan struct{}, l.children)}
}

// readApart reads raw in a child process by the reader of f.
func readApart(ctx context.Context, f *format, raw []byte) (Content, error) {
	return children.read(ctx, f, raw)
}

func (p *childPool) read(ctx context.Context, f *format, raw []byte) (Content, error) {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return Content{}, ctx.Err()
	}
	c, used, err := p.take(ctx)
	if err != nil {
		return Content{}, err
	}
	content, dead, err := p.readBy(ctx, c, f, raw)
	if used && dead { // perhaps of the files before
		if c, err = startChild(ctx, p.limits); err != nil {
			return Content{}, err
		}
		content, _, err = p.readBy(ctx, c, f, raw)
	}
	return content, err
}

// readBy reads a file by a child, and keeps the child for the next one unless
// something is wrong with it. It also tells whether the child has died.
func (p *childPool) readBy(ctx context.Context, c *child, f *format, raw []byte) (content Content, dead bool, err error) {
	r := reading{child: c, limits: p.limits, format: "." + strings.Fields(f.extensions)[0]}
	content, err = r.read(ctx, raw)
	if r.over {
		p.keep(c)
	}
	return content, r.dead, err
}

// take returns a child that has nothing to do, and whether it has read files
// before.
func (p *childPool) take(ctx context.Context) (c *child, used bool, err error) {
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		c = p.idle[n-1]
		p.idle = p.idle[:n-1]
		c.expiry.Stop()
	}
	p.mu.Unlock()
	if c != nil {
		return c, true, nil
	}
	c, err = startChild(ctx, p.limits)
	return c, false, err
}

func (p *childPool) keep(c *child) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
	c.expiry = time.AfterFunc(p.limits.idle, func() { p.expire(c) })
}

// expire ends c if it still has nothing to do.
func (p *childPool) expire(c *child) {
	p.mu.Lock()
	i := slices.Index(p.idle, c)
	if i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
	}
	p.mu.Unlock()
	if i >= 0 {
		c.end()
	}
}
