package index

import (
	"context"
	"sync"
	"time"
)

// quickScan is how long the last scan may have taken for a question to wait for
// another: some thousand files on a local disk, few on a slow drive.
const quickScan = 50 * time.Millisecond

// Refresh takes up what changed in the folders until the time given, so that
// who saves a note and asks at once is answered from it. Where a scan is not
// quick, and before the first one is through, it does nothing: there the events
// of the file system must do.
func (ix *Index) Refresh(ctx context.Context, asked time.Time) {
	if last := ix.scanned.Load(); last != nil && last.After(asked) {
		return
	}
	if s := ix.State(); s.Synced.IsZero() || !s.isThrough() || !ix.pace.isQuick() {
		return
	}
	own, others := ix.split(ix.everything())
	var err error
	if len(own) > 0 {
		_, err = ix.sync(ctx, own, false)
	}
	for folder, areas := range others {
		if err == nil {
			err = ix.refreshOther(ctx, folder, areas)
		}
	}
	if err != nil && ctx.Err() == nil {
		ix.log.Warn("could not bring the index up to date", "error", err)
	}
}

// pace is how long the last two scans took, and when the last one was.
type pace struct {
	mu           sync.Mutex
	scan, before time.Duration
	noted        time.Time // zero: there was none
}

func (p *pace) note(scan time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.before = p.scan
	if p.noted.IsZero() {
		p.before = scan
	}
	p.scan, p.noted = scan, time.Now()
}

// took is the shorter of the two: anything may hold one up.
func (p *pace) took() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return min(p.scan, p.before)
}

// slowShare is how many times as long as scans take questions do without one.
const slowShare = 20

// isQuick tells whether a question may wait for a scan. Where they are slow one
// is tried again after a while.
func (p *pace) isQuick() bool {
	took := p.took()
	p.mu.Lock()
	defer p.mu.Unlock()
	return took <= quickScan || time.Since(p.noted) > min(sweepEvery, slowShare*took)
}
