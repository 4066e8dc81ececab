package sync

import (
	"context"
	"sync"

	"vademecum/docs"
	"vademecum/index/ingest"
	"vademecum/index/notice"
)

// What tests of another package need: syncertest imports this one.

const GoneAtOnce = goneAtOnce

// HoldBackground keeps files that are read in the background in their queue until release
// is called.
func HoldBackground(x *Indexer) (release func()) {
	a := x.background
	a.hold()
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		for range a.readers {
			a.group.Go(a.readQueue)
		}
	}
}

// hold has nobody read: as many are said to as there may be.
func (a *backgroundReader) hold() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.readers = workerCount()
}

// HoldLarge keeps large files from being read until release is called.
func HoldLarge(x *Indexer) (release func()) {
	x.large.Lock()
	return x.large.Unlock
}

// CountBackground is how many files of a run are read in the background.
func CountBackground(r *Run) int { return len(r.background) }

// CommitApart commits a document of the first folder that was read in the background, and
// returns its file if that has changed.
func CommitApart(ctx context.Context, x *Indexer, p ingest.PreparedDocument) (*docs.File, error) {
	return x.commitInBackground(ctx, &worker{Run: x.NewRun(Comparison{})}, p, nil, false)
}

// Commit commits documents of the first folder in one batch.
func Commit(ctx context.Context, x *Indexer, batch []ingest.PreparedDocument) (notice.Report, error) {
	w := &worker{Run: x.NewRun(Comparison{}), mu: new(sync.Mutex), batch: batch}
	err := w.flushBatch(ctx)
	return w.Report, err
}
