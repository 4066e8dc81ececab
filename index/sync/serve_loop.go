package sync

import (
	"context"
	"time"

	"vademecum/internal/base/panics"
)

// sweepTick is the interval at which the loop checks whether a sweep is due.
const sweepTick = 5 * time.Second

// lookEvery is the interval at which a process polls for commits and requests of others, and for
// processes that have ended.
const lookEvery = 200 * time.Millisecond

// lookSoon is the interval while another process is about to embed new chunks, because a query may
// wait for these.
const lookSoon = 20 * time.Millisecond

// Run loads the index, brings it up to date and keeps it up to date until ctx ends. File system
// events determine where to scan; scans determine what has changed. For folders that another
// process indexes, it follows the commits of that process. The error is the reason why the index
// cannot be used at all, or nil if ctx ended.
func (s *Syncer) Run(ctx context.Context) error {
	err := s.Guard.Catch("keep the index up to date", func() error { return s.keepUpToDate(ctx) })
	if panics.Is(err) {
		s.Fresh.RecordFatal(err)
	}
	return err
}

func (s *Syncer) keepUpToDate(ctx context.Context) error {
	l := newMaintenanceLoop(s)
	defer l.group.Wait()
	defer l.unwatchOthers()
	l.watchWhileLoading(ctx)
	if err := s.LoadWithRetry(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		s.Fresh.RecordFatal(err)
		return err
	}
	s.Fresh.SetServing(true)
	defer s.Fresh.SetServing(false)
	if len(s.Folders) == 0 { // there is nothing to watch
		s.Embedding.Run(ctx, func(context.Context) {})
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	l.poll(ctx)
	l.unwatchOthers()
	l.compareOthersOnce(ctx)
	// These goroutines catch panics themselves.
	l.group.Go(func() { s.Embedding.Run(ctx, func(ctx context.Context) { s.PublishProgress(ctx, l.publisher) }) })
	l.group.Go(func() { l.syncDirtyAreas(ctx) })
	l.group.Go(func() { s.Recognition.Run(ctx) })
	if s.CanRepair() {
		l.group.Go(func() { l.newChecker().Run(ctx) })
	}
	s.Embedding.Wake()
	sweep := time.NewTicker(sweepTick)
	defer sweep.Stop()
	swept := time.Now()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-sweep.C:
			if time.Since(swept) >= s.Fresh.RescanDelay() {
				own, _ := s.SplitOwn(s.AllSubtrees())
				l.dirty.addAreas(own...)
				swept = time.Now()
			}
		case <-look.C:
			l.poll(ctx)
			l.lookForMissing()
			l.dirty.wakeIfAny(l.unreachableFolders())
			l.resumeThrottled()
			l.retryMismatched(ctx, time.Now())
			if time.Since(s.Fresh.State().Synced) >= ReleaseDelay {
				s.ReleaseMemory()
			}
			look.Reset(s.pollPause())
		}
	}
}

func (s *Syncer) pollPause() time.Duration {
	if state := s.Fresh.State(); state.EmbedDue && state.EmbedSince.IsZero() {
		return lookSoon
	}
	return lookEvery
}
