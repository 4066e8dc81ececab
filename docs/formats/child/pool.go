package child

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"vademecum/docs/extract"
)

// limits are the limits for the child processes and for reading one file.
type limits struct {
	children int           // maximum number of child processes at the same time
	start    time.Duration // maximum time for a child process, or an engine in it, to start
	file     time.Duration // time allowed for a file, in addition to the time for its pages
	page     time.Duration // additional time allowed for each page with text
	blank    time.Duration // additional time allowed for each page without text
	most     time.Duration // maximum total time allowed for a file
	// factor by which all time limits are raised for a second attempt at a file whose child process
	// got too little processor time
	patience int
	retire   time.Duration // processor time after which a child process is not used for further files
	idle     time.Duration // how long an idle child process is kept
	memory   uint64        // maximum memory of a child process in bytes
}

var children = newPool(limits{
	children: min(runtime.GOMAXPROCS(0), 4), // at most four, as each may use its maximum memory
	start:    3 * time.Minute,
	file:     8 * time.Second * raceFactor,
	page:     250 * time.Millisecond,
	blank:    25 * time.Millisecond,
	most:     5 * time.Minute,
	patience: 5,
	retire:   10 * time.Minute,
	idle:     30 * time.Second,
	memory:   500 << 20 * raceFactor,
})

// A pool runs child processes and keeps idle ones for the next files.
type pool struct {
	limits limits
	slots  chan struct{} // holds one element for each file being read
	slow   chan struct{} // holds one element while a file is being retried with raised time limits

	mu   sync.Mutex
	idle []*process
}

func newPool(l limits) *pool {
	return &pool{limits: l, slots: make(chan struct{}, l.children), slow: make(chan struct{}, 1)}
}

// Read reads raw with the reader of a format in a child process. If reading ends early, it returns the
// pages that were read, with a note that gives the reason. The error is a *extract.SkipError if the
// file is at fault.
func Read(ctx context.Context, format string, raw []byte) (extract.Content, error) {
	content, _, err := children.handle(ctx, request{Format: format}, raw)
	return content, err
}

// Draw draws a page of raw with the drawer of a format in a child process, as PNG. The error is a
// *extract.SkipError if the file is at fault or has no such page.
func Draw(ctx context.Context, format string, raw []byte, drawing extract.DrawingRequest) ([]byte, error) {
	_, picture, err := children.handle(ctx, request{Format: format, Draw: &drawing}, raw)
	return picture, err
}

// handle sends a request with its file to a child process and returns the content that was read or
// the picture that was drawn. It repeats the request in a new process if the failure may not
// be the fault of the file.
func (p *pool) handle(ctx context.Context, req request, raw []byte) (extract.Content, []byte, error) {
	free, err := acquire(ctx, p.slots)
	if err != nil {
		return extract.Content{}, nil, err
	}
	defer free()
	c, used, err := p.takeProcess(ctx)
	if err != nil {
		return extract.Content{}, nil, err
	}
	patience := 1
	for {
		r := reading{child: c, limits: p.limits, patience: patience, asked: req}
		content, err := r.run(ctx, raw)
		switch {
		case r.over:
			p.keepProcess(c)
			return content, r.picture, err
		case r.hadTooLittleCPU && patience == 1:
			free, err := acquire(ctx, p.slow)
			if err != nil {
				return extract.Content{}, nil, err
			}
			defer free()
			patience = p.limits.patience
		case r.dead && used: // files that the process read earlier may be the cause
		default:
			return content, nil, err
		}
		used = false
		if c, err = startProcess(ctx, p.limits); err != nil {
			return extract.Content{}, nil, err
		}
	}
}

// acquire waits for a slot, and returns a function that releases it.
func acquire(ctx context.Context, slots chan struct{}) (free func(), err error) {
	select {
	case slots <- struct{}{}:
		return func() { <-slots }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// takeProcess returns an idle or new child, and whether it has read files before.
func (p *pool) takeProcess(ctx context.Context) (c *process, used bool, err error) {
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
	c, err = startProcess(ctx, p.limits)
	return c, false, err
}

// keepProcess keeps a child for the next file.
func (p *pool) keepProcess(c *process) {
	if c.spent > p.limits.retire {
		c.kill()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
	c.expiry = time.AfterFunc(p.limits.idle, func() { p.endIfIdle(c) })
}

// endIfIdle ends c if it is still idle.
func (p *pool) endIfIdle(c *process) {
	p.mu.Lock()
	i := slices.Index(p.idle, c)
	if i >= 0 {
		p.idle = slices.Delete(p.idle, i, i+1)
	}
	p.mu.Unlock()
	if i >= 0 {
		c.kill()
	}
}
