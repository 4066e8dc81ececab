package sync

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
	"vademecum/internal/base/panics"
)

// sweepTick is the interval at which the loop checks whether a scan of all folders is due.
const sweepTick = 5 * time.Second

// lookEvery is the interval at which a process polls for commits and requests of others, and for
// processes that have ended.
const lookEvery = 200 * time.Millisecond

// lookSoon is the polling interval while another process is about to embed new chunks, because a query may
// wait for these.
const lookSoon = 20 * time.Millisecond

// Run loads the index, brings it up to date and keeps it up to date until ctx ends. File system
// events determine where to scan; scans determine what has changed. For folders that another
// process indexes, it follows the commits of that process. The error is the reason why the index
// cannot be used at all, or nil if ctx ended.
func (s *Syncer) Run(ctx context.Context) error {
	err := s.Guard.Catch("keep the index up to date", func() error { return s.keepUpToDate(ctx) })
	if panics.Is(err) {
		s.recordFatal(err)
	}
	return err
}

// recordFatal records an error that makes the index unusable.
func (s *Syncer) recordFatal(err error) {
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) {
		now.OwnState.Phase, now.OwnState.Failure = progress.Failed, message.FromError(err)
	})
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
		s.recordFatal(err)
		return err
	}
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.IsMaintaining = true })
	defer s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.IsMaintaining = false })
	if len(s.Folders) == 0 { // there is nothing to watch
		s.Embedding.Run(ctx, func() {})
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	l.poll(ctx)
	l.unwatchOthers()
	l.compareOthersOnce(ctx)
	// These goroutines catch panics themselves.
	l.group.Go(func() {
		s.Embedding.Run(ctx, func() {
			select {
			case l.embedded <- struct{}{}:
			default:
			}
		})
	})
	l.group.Go(func() { l.syncDirtyAreas(ctx) })
	l.group.Go(func() { s.Recognition.Run(ctx) })
	if s.canRepair() {
		l.group.Go(func() { l.newChecker().run(ctx) })
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
			if time.Since(swept) >= s.FreshnessPublisher.Current().CurrentRescanInterval() {
				own, _ := s.splitOwn(s.AllSubtrees())
				l.dirty.addAreas(own...)
				swept = time.Now()
			}
		case <-l.embedded:
			s.publishProgress(ctx, l.publisher)
		case c := <-l.lostReports:
			l.publisher.forget(c)
		case <-look.C:
			l.poll(ctx)
			l.lookForMissing()
			l.dirty.wakeIfAny(l.unreachableFolders())
			l.resumeThrottled()
			l.retryMismatched(ctx, time.Now())
			if time.Since(s.FreshnessPublisher.Current().State.Synced) >= releaseDelay {
				s.ReleaseMemory()
			}
			look.Reset(s.pollPause())
		}
	}
}

func (s *Syncer) pollPause() time.Duration {
	if state := s.FreshnessPublisher.Current().State; state.IsPeerEmbeddingDue && state.EmbedSince.IsZero() {
		return lookSoon
	}
	return lookEvery
}

// maintenanceLoop keeps the indexes of a Syncer up to date while Run is active: it indexes the folders that
// are left to this process, follows the processes that index the others, and collects areas that must be
// compared again. Its fields belong to the goroutine of keepUpToDate, which only polls. What may take long
// runs in goroutines of group, which use dirty and hand back their results over channels: a watcher for
// each folder, syncDirtyAreas, the embedding, the recognition of text, and the checker.
type maintenanceLoop struct {
	s              *Syncer
	group          sync.WaitGroup
	dirty          *dirtySet
	polls          int               // number of polls
	warned         map[string]int    // by message, the number of the last poll with that warning
	duties         []folderDuties    // by folder
	pendingWatches []chan watchState // by folder; nil if no watcher is being started

	publisher   *publisher
	embedded    chan struct{}       // holds a token if the embedding model has ended a pass, which is published at once
	lostReports chan *live.Follower // followers of catalogues that have lost what was published

	absences []missingFolder // by folder

	trouble   databaseState // the last logged state of the database
	slow      bool          // whether it was logged that the database is slow
	goneSince time.Time     // when the library disappeared; zero if it exists
	wellSince time.Time     // when the database recovered, until that is logged
}

func newMaintenanceLoop(e *Syncer) *maintenanceLoop {
	return &maintenanceLoop{
		s:              e,
		duties:         make([]folderDuties, len(e.Folders)),
		publisher:      newPublisher(e),
		embedded:       make(chan struct{}, 1),
		lostReports:    make(chan *live.Follower),
		warned:         make(map[string]int),
		absences:       make([]missingFolder, len(e.Folders)),
		pendingWatches: make([]chan watchState, len(e.Folders)),
		dirty:          newDirtySet(),
	}
}

// begin calls f outside of the loop, because it may take long, and returns a channel that is closed when f
// has ended.
func (l *maintenanceLoop) begin(f func()) (ended <-chan struct{}) {
	done := make(chan struct{})
	l.group.Go(func() {
		defer close(done)
		f()
	})
	return done
}

// isUnderWay reports whether what begin has called has not ended yet. ended is nil if it called nothing.
func isUnderWay(ended <-chan struct{}) bool {
	select {
	case <-ended:
		return false
	default:
		return ended != nil
	}
}

// poll loads the commits of other processes, takes over the folders of processes that have ended, and
// carries out the requests of other processes.
func (l *maintenanceLoop) poll(ctx context.Context) {
	l.polls++
	err := l.s.Guard.Catch("build the index again", func() error { return l.s.RepairCatalogs(ctx, RepairRetryInterval) })
	if err != nil && ctx.Err() == nil {
		l.s.log.Error("could not build the index again", "error", err)
		l.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.SetFollowError(err) })
		return
	}
	var faults []error
	for i := range l.s.Folders {
		err := l.s.Guard.Catch("follow another process", func() error { return l.pollFolder(ctx, i) })
		if err != nil && !slices.ContainsFunc(faults, func(told error) bool { return told.Error() == err.Error() }) {
			faults = append(faults, err)
		}
	}
	fault := errors.Join(faults...)
	l.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.SetFollowError(fault) })
	if ctx.Err() == nil {
		l.logDatabaseState(fault)
	}
	if fault == nil {
		maps.DeleteFunc(l.warned, func(_ string, last int) bool { return last < l.polls })
	}
	l.s.publishProgress(ctx, l.publisher)
}

// warnOnce logs a recurring error once, and again only after a poll without it.
func (l *maintenanceLoop) warnOnce(what string, why error) {
	if l.warned[what] == 0 {
		l.s.log.Warn(what, "error", why)
	}
	l.warned[what] = l.polls
}

// pollFolder does the work of poll for one folder. The error is the reason why the catalogue of the folder
// cannot be followed.
func (l *maintenanceLoop) pollFolder(ctx context.Context, folder int) error {
	_, err := l.s.Store.Follow(ctx, folder)
	if errors.Is(err, catalog.ErrStorageRemoved) {
		err = l.s.ReopenLibrary(ctx, folder, err)
	}
	d, c := &l.duties[folder], l.s.Store.Follower(folder)
	if err != nil && ctx.Err() == nil {
		d.version = 0
		if !catalog.IsDatabaseUnusable(err) {
			l.warnOnce("could not read what another process indexed", err)
		}
	}
	if d.of != c {
		l.resetDuties(folder, c)
	}
	l.assignDuties(ctx, folder)
	if l.s.isLeftToOthers(folder) {
		if indexed := l.s.hasIndexer(ctx, folder); indexed != d.indexed {
			d.indexed, d.version = indexed, 0 // read the progress of the indexer
		}
	} else {
		l.s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.LacksIndexer = false })
	}
	if c.ForeignChangeSinceLastCall() && d.leads && l.s.Folders[folder].Storage.IndexingLease().NotExclusiveReason() == nil {
		// The previous indexer may have committed a file that it read long ago.
		l.dirty.addAreas(Subtree{Folder: folder, Base: "."})
	}
	version := c.LastSeenForeignVersion()
	if version == d.version {
		return err
	}
	d.version = version
	if err == nil {
		err = l.s.agreeOnPath(ctx, folder, c)
	}
	l.s.FreshnessPublisher.SignalDocumentChange()
	if d.leads {
		l.answerRequests(ctx, folder, c)
	}
	if heard := l.recordPeers(ctx, folder, c); heard != nil && ctx.Err() == nil && !catalog.IsDatabaseUnusable(heard) {
		l.warnOnce("could not read how far another process is", heard)
		d.version = 0 // retry at the next poll
	}
	return err
}
