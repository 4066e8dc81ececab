package index

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"vademecum/docs"
)

// quickScan is how long the last scan may have taken for a question to wait for
// another: some thousand files on a local disk, few on a slow drive.
const quickScan = 50 * time.Millisecond

// Refresh takes up what changed in the folders until the time given, so that
// who saves a note and asks at once is answered from it. Where a scan is not
// quick, and before the first one is through, it does nothing: there the events
// of the file system must do. Nor does it wait for a folder that does not answer.
func (ix *Index) Refresh(ctx context.Context, asked time.Time) {
	silent := ix.silent()
	if last := ix.scanned.Load(); last != nil && last.After(asked) {
		return
	}
	if s := ix.State(); s.Synced.IsZero() || !s.isThrough() || !ix.pace.isQuick() {
		return
	}
	own, others := ix.split(slices.DeleteFunc(ix.everything(), func(a area) bool { return silent[a.folder] }))
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

// IsSilent tells whether an error is that a folder does not answer: questions are
// answered from its index as it was.
func IsSilent(err error) bool { return errors.Is(err, docs.ErrSilent) }

// silent asks all folders at once which of them do not answer soon.
func (ix *Index) silent() map[int]bool {
	answers := make([]bool, len(ix.folders))
	var group sync.WaitGroup
	for i, f := range ix.folders {
		group.Go(func() { answers[i] = f.Answers() })
	}
	group.Wait()
	silent := make(map[int]bool)
	for i, answers := range answers {
		if !answers {
			silent[i] = true
		}
	}
	return silent
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
