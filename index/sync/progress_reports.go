package sync

import (
	"context"
	"errors"
	"os"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
)

// Processes that serve the same folder report to each other through the catalogue: the indexer and the
// embedder publish their progress, and the others read it.

// publisher publishes the progress of this process, for the folders that it indexes or embeds, to other
// processes. One goroutine uses it.
type publisher struct {
	s        *Syncer
	lastPost map[*live.Follower]lastPublished
}

// newPublisher returns a publisher that has published nothing yet.
func newPublisher(p *Syncer) *publisher {
	return &publisher{s: p, lastPost: make(map[*live.Follower]lastPublished)}
}

// lastPublished holds the state and the report on vectors that were last published for a folder, with
// their times.
type lastPublished struct {
	busy      time.Time // when a run was first seen in progress; zero if none is
	state     progress.State
	stateAt   time.Time
	vectors   progress.EmbedderReport
	vectorsAt time.Time
}

// minReportInterval is the minimum interval between reports of progress in the same phase.
const minReportInterval = 500 * time.Millisecond

// Publish publishes what has changed in the progress since the last call.
func (t *publisher) Publish(ctx context.Context) {
	for i, f := range t.s.Folders {
		c := t.s.Store.Follower(i)
		if c == nil || c.Describe().IsUnsaved() {
			continue
		}
		last := t.lastPost[c]
		err := t.publishState(ctx, c, f, &last)
		if err == nil {
			err = t.publishVectors(ctx, c, f.Storage.EmbeddingLease(), &last)
		}
		if err != nil && ctx.Err() == nil && !isReportedElsewhere(err) {
			t.s.log.Warn("could not tell other processes how far this one is", "error", err)
		}
		t.lastPost[c] = last
	}
}

// isReportedElsewhere reports whether an error need not be logged here, because it is reported elsewhere.
func isReportedElsewhere(err error) bool {
	for _, known := range []error{catalog.ErrWriteRejected, catalog.ErrDatabaseReadOnly, catalog.ErrDatabaseUnreachable, catalog.ErrSetupRequired} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}

func (t *publisher) publishState(ctx context.Context, c *live.Follower, f roots.Root, last *lastPublished) error {
	leads := f.Storage.IndexingLease().TryAcquire()
	since, _ := f.Storage.IndexingLease().HeldSince()
	s := t.s.FreshnessPublisher.Current().OwnState
	switch {
	case s.Phase == progress.Ready || last.stateAt.IsZero():
		last.busy = time.Time{}
	case last.busy.IsZero():
		last.busy = time.Now()
		return nil
	case time.Since(last.busy) < minReportInterval:
		return nil // the run may end soon, and is not reported yet
	}
	if !leads || s == last.state || time.Since(last.stateAt) < minReportInterval && s.Phase == last.state.Phase {
		return nil
	}
	last.state, last.stateAt = s, time.Now()
	mine := progress.Indexer{PID: os.Getpid(), Since: since}
	if f.Storage.Describe().IsShared {
		mine.Host, _ = os.Hostname() // on error, the PID alone identifies the process
	}
	return progress.IndexerReport{Indexer: mine, State: s}.Post(ctx, c)
}

func (t *publisher) publishVectors(ctx context.Context, c *live.Follower, embedding roots.Lease, last *lastPublished) error {
	if t.s.Store.ModelProperties.IsCheapToCompute { // vectors of a free model are never waited for
		return nil
	}
	embeds := embedding.TryAcquire()
	s := t.s.FreshnessPublisher.Current().OwnState
	v := progress.EmbedderReport{Since: s.EmbedSince, Done: s.EmbedDone, Total: s.EmbedTotal, TimePerPassage: s.EmbedTimePerPassage, Failure: string(s.EmbedFailure), EmbeddedThroughChange: c.EmbeddedThroughChange.Load()}
	// equal except for the progress
	isSame := v.EmbeddedThroughChange == last.vectors.EmbeddedThroughChange && v.Failure == last.vectors.Failure
	if !embeds || v == last.vectors || isSame && time.Since(last.vectorsAt) < minReportInterval {
		return nil
	}
	last.vectors, last.vectorsAt = v, time.Now()
	if v.TimePerPassage == 0 {
		before, err := progress.EmbedderReportOf(ctx, c)
		if err != nil {
			return err
		}
		v.TimePerPassage = before.TimePerPassage
	}
	return v.Post(ctx, c)
}

// forget has everything about a folder published again at the next call of Publish.
func (t *publisher) forget(c *live.Follower) { delete(t.lastPost, c) }

// followIndexer records the progress of the indexer of a folder, after loading its commits up to
// then.
func (s *Syncer) followIndexer(ctx context.Context, folder int, c *live.Follower) error {
	n, err := progress.IndexerReportOf(ctx, c)
	if err = c.RecordDamage(err); err == nil {
		_, err = s.Store.Follow(ctx, folder)
	}
	if err == nil {
		c.UnlessBeingReplaced(func() {
			s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.IndexerPID, f.IndexerState = n.Indexer.PID, &n.State })
		})
	}
	return err
}

// FollowEmbedder records the progress of the process that embeds a folder, and loads its vectors.
func (s *Syncer) FollowEmbedder(ctx context.Context, folder int, c *live.Follower) (progress.EmbeddingProgress, error) {
	n, err := progress.EmbedderReportOf(ctx, c)
	if err != nil {
		return progress.EmbeddingProgress{}, c.RecordDamage(err)
	}
	if _, err := s.Store.Follow(ctx, folder); err != nil {
		return progress.EmbeddingProgress{}, err
	}
	e := progress.EmbeddingProgress{EmbedderReport: n, IsEmbeddingDue: n.EmbeddedThroughChange < c.LastFollowedChange() && s.Store.CountMissingVectors(folder) > 0}
	s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.EmbedderProgress = &e })
	return e, nil
}

// PublishProgressWhile calls work, and publishes the progress to other processes meanwhile. It then releases the
// leases that were acquired for work. While the maintenance loop runs, which does both, it only calls
// work.
func (s *Syncer) PublishProgressWhile(ctx context.Context, work func() error) (err error) {
	if s.FreshnessPublisher.Current().IsMaintaining {
		return work()
	}
	t := newPublisher(s)
	done := make(chan struct{})
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(minReportInterval)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.publishProgress(ctx, t)
			}
		}
	}()
	err = s.Guard.Catch("index and embed", work)
	close(done)
	<-stopped
	if len(t.lastPost) > 0 || err != nil {
		s.publishProgress(context.WithoutCancel(ctx), t)
	}
	return errors.Join(err, s.Folders.ReleaseLeases())
}

// publishProgress makes a publisher publish the progress of this process.
func (s *Syncer) publishProgress(ctx context.Context, t *publisher) {
	_ = s.Guard.Catch("tell other processes", func() error { t.Publish(ctx); return nil })
}

// recordPeers records the progress of the processes that index or embed a folder in place of this one.
func (l *maintenanceLoop) recordPeers(ctx context.Context, folder int, c *live.Follower) (err error) {
	d := &l.duties[folder]
	switch {
	case d.leads:
		l.s.setIndexer(folder, nil)
	case l.s.isLeftToOthers(folder) && !l.s.hasIndexer(ctx, folder): // the last report is outdated
		l.s.setIndexer(folder, &progress.State{Phase: progress.Ready, Synced: time.Now()})
	default:
		err = l.s.followIndexer(ctx, folder, c)
	}
	if d.embeds {
		l.s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.EmbedderProgress = nil })
		if l.s.Store.CountMissingVectors(folder) > 0 { // another process may have indexed something
			l.s.Embedding.Wake()
		}
		return err
	}
	_, vectors := l.s.FollowEmbedder(ctx, folder, c)
	return errors.Join(err, vectors)
}
