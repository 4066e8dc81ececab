package sync

import (
	"context"
	"time"

	"golang.org/x/sync/semaphore"

	"vademecum/docs"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/notice"
	"vademecum/index/search"
)

// What tests of another package need: syncertest imports this one.

const (
	LookEvery   = lookEvery
	SearchFirst = searchFirst
	SearchMost  = searchMost
)

// Loop is a loop, for tests of single steps.
type Loop struct{ *maintenanceLoop }

// NewLoop makes a loop that does nothing by itself.
func NewLoop(e *Syncer) Loop { return Loop{newMaintenanceLoop(e)} }

func (l Loop) Look(ctx context.Context) { l.poll(ctx) }

func (l Loop) LookForMissing() { l.lookForMissing() }

func (l Loop) ReconsiderSome(ctx context.Context, now time.Time) { l.retryMismatched(ctx, now) }

// Wait waits for what was begun beside the loop.
func (l Loop) Wait() { l.group.Wait() }

// Leads reports whether this process indexes a folder.
func (l Loop) Leads(folder int) bool { return l.duties[folder].leads }

// BeginAnswer notes that a request is being answered, IsAnswering reports whether that is so.
func (l Loop) BeginAnswer(folder int, request int64) { l.duties[folder].answered[request] = true }

func (l Loop) IsAnswering(folder int, request int64) bool { return l.duties[folder].answered[request] }

// SetLeads says whether this process indexes a folder.
func (l Loop) SetLeads(folder int, leads bool) { l.duties[folder].leads = leads }

// IsReconsidering reports whether a folder is being compared with its library again.
func (l Loop) IsReconsidering(folder int) bool { return isUnderWay(l.duties[folder].retry) }

// TakeDirty takes what is to be compared again.
func (l Loop) TakeDirty() []Subtree {
	areas, _ := l.dirty.takeAreas(nil)
	return areas
}

// IsMissing reports whether a folder could not be read at the last attempt.
func (s *Syncer) IsMissing(folder int) bool { return s.isMissing(folder) }

// Refresh has a question that was asked at a time bring the folders up to date.
func (s *Syncer) Refresh(ctx context.Context, asked time.Time, compare func(context.Context, []int) error) {
	s.refresh(ctx, asked, compare)
}

// HasGrown reports whether memory is to be given back.
func (s *Syncer) HasGrown() bool { return s.FreshnessPublisher.Current().HasSpareMemory }

// Turn is held by whoever changes an index.
func (s *Syncer) Turn() *semaphore.Weighted { return s.turn }

const GoneAtOnce = goneAtOnce

// HoldBackground keeps files that are read in the background in their queue until release
// is called.
func HoldBackground(x *Syncer) (release func()) {
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
func HoldLarge(x *Syncer) (release func()) {
	x.large.Lock()
	return x.large.Unlock
}

// CountBackground is how many files of a run are read in the background.
func CountBackground(r *Run) int { return len(r.background) }

// CommitApart commits a document of the first folder that was read in the background, and
// returns its file if that has changed.
func CommitApart(ctx context.Context, x *Syncer, p ingest.PreparedDocument) (*docs.File, error) {
	return x.commitInBackground(ctx, &worker{Run: x.NewRun(Comparison{})}, p, nil, false)
}

// Commit commits documents of the first folder in one batch.
func Commit(ctx context.Context, x *Syncer, batch []ingest.PreparedDocument) (notice.Report, error) {
	w := &worker{Run: x.NewRun(Comparison{}), batch: batch}
	err := w.flushBatch(ctx)
	return w.Report, err
}

// Check runs the checker of libraries until ctx ends.
func (s *Syncer) Check(ctx context.Context, ask, scheduleCompare func(folder int), reportLost func(*live.Follower)) {
	c := &checker{s: s, ask: func(_ context.Context, folder int) { ask(folder) }, scheduleCompare: scheduleCompare, reportLost: func(_ context.Context, f *live.Follower) { reportLost(f) }}
	c.run(ctx)
}

var NewPublisher = newPublisher

// GiveUp has a document fail by an error.
func (r *Recognition) GiveUp(ctx context.Context, d *search.Document, err error) error {
	return r.giveUp(ctx, d, err)
}

// Waiting lists the documents that are to be recognised now.
func (r *Recognition) Waiting() []*search.Document { return r.waiting() }

// Reread has a document be indexed again from its file.
func (r *Recognition) Reread(ctx context.Context, at search.Location) error {
	return r.s.rereadFile(ctx, at)
}

// RecogniseDocument counts what waits and recognises a document, as a part of recognising all.
func (r *Recognition) RecogniseDocument(ctx context.Context, d *search.Document) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting()
	r.reportProgress(nil)
	if err := r.recogniser.Open(ctx); err != nil {
		return err
	}
	return r.recogniseDocument(ctx, d, func(context.Context) error { return nil })
}

// HasRetryTimer reports whether something is tried again after a while, although the program works.
func (r *Recognition) HasRetryTimer() bool { return r.retryTimer(false) != nil }

// EndRetries has the time pass until what has failed is tried again.
func (r *Recognition) EndRetries() {
	for at, a := range r.givenUp {
		if !a.retry.IsZero() {
			a.retry = a.retry.Add(-retryRecognition)
			r.givenUp[at] = a
		}
	}
}

// All recognises all pages that wait. It calls before each of them what may end it.
func (r *Recognition) All(ctx context.Context, before func(context.Context) error) ([]*search.Document, error) {
	return r.recogniseAll(ctx, before)
}
