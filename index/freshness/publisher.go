package freshness

import (
	"context"
	"sync"

	"vademecum/index/progress"
)

// Publisher holds the current Snapshot, and wakes those who wait for a change of it. It is safe for
// concurrent use.
type Publisher struct {
	mu        sync.Mutex
	now       Snapshot
	changed   chan struct{}          // closed at the next change; nil if no goroutine waits
	documents map[chan struct{}]bool // each receives a token when documents may have changed
}

// NewPublisher returns a Publisher for folderCount folders that are being loaded.
func NewPublisher(folderCount int) *Publisher {
	p := &Publisher{documents: make(map[chan struct{}]bool)}
	p.Update(func(now *Snapshot) { now.OwnState.Phase, now.Folders = progress.Loading, make([]Folder, folderCount) })
	return p
}

// Update calls change to change the Snapshot, and publishes it. change must not use the Publisher.
func (p *Publisher) Update(change func(now *Snapshot)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.now.DocumentChanges
	change(&p.now)
	p.now.combine()
	if p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
	if p.now.DocumentChanges == before {
		return
	}
	for c := range p.documents {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// UpdateFolder calls change to change one Folder of the Snapshot, and publishes the Snapshot unless
// the Folder stays the same. change may be called twice, and must not use the Publisher.
func (p *Publisher) UpdateFolder(folder int, change func(f *Folder)) {
	f := p.Current().Folders[folder]
	before := f
	if change(&f); f != before {
		p.Update(func(now *Snapshot) { change(now.editFolder(folder)) })
	}
}

// SignalDocumentChange records that documents may have changed, and wakes those who wait for that.
func (p *Publisher) SignalDocumentChange() { p.Update(func(now *Snapshot) { now.DocumentChanges++ }) }

// Current returns the Snapshot last published.
func (p *Publisher) Current() Snapshot {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now
}

// Wait blocks until accepts returns true for the published Snapshot. If ctx ends before that, it returns
// its error.
func (p *Publisher) Wait(ctx context.Context, accepts func(now Snapshot) bool) error {
	for {
		p.mu.Lock()
		if p.changed == nil {
			p.changed = make(chan struct{})
		}
		now, changed := p.now, p.changed
		p.mu.Unlock()
		if accepts(now) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Changes returns a channel that receives a token when documents may have changed, until ctx ends.
// At most one token is pending.
func (p *Publisher) Changes(ctx context.Context) <-chan struct{} {
	c := make(chan struct{}, 1)
	p.mu.Lock()
	p.documents[c] = true
	p.mu.Unlock()
	context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.documents, c)
	})
	return c
}
