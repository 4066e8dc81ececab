package sync

import (
	"context"
	"errors"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// Hosts start a server for each window, all on the same folder. One of them, the indexer, scans,
// watches and indexes the folder, and one for each model, the embedder, embeds it. The others follow
// their commits, and send requests to the indexer.

// IsIndexer reports whether this process keeps the index of a folder up to date. If no process does, this one
// takes over: it acquires the lease for indexing, without waiting.
func (s *Syncer) IsIndexer(folder int) bool {
	c := s.Store.Follower(folder)
	leads := c != nil && (c.Describe().IsUnsaved() || s.Folders[folder].Storage.IndexingLease().TryAcquire())
	if leads {
		// it no longer matters that the previous indexer left a request unanswered
		s.setUnanswered(folder, false)
	}
	return leads
}

// IsEmbedder reports whether this process embeds the passages of a folder.
func (s *Syncer) IsEmbedder(folder int) bool {
	if folder == search.NoFolder {
		return true
	}
	c := s.Store.Follower(folder)
	return c != nil && (c.Describe().IsUnsaved() || s.Folders[folder].Storage.EmbeddingLease().TryAcquire())
}

// indexerEvery is how often a process that cannot index a folder checks whether another does.
const indexerEvery = time.Second

// hasIndexer reports whether any process indexes a folder that this one cannot index.
func (s *Syncer) hasIndexer(ctx context.Context, folder int) bool {
	if time.Since(s.FreshnessPublisher.Current().Folders[folder].IndexerSoughtAt) >= indexerEvery {
		isHeld, at := s.Folders[folder].Storage.IndexingLease().IsHeldByAny(ctx), time.Now()
		s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.LacksIndexer, f.IndexerSoughtAt = !isHeld, at })
	}
	return !s.FreshnessPublisher.Current().Folders[folder].LacksIndexer
}

// setIndexer records the progress of another process that indexes a folder; nil means that this
// process indexes it.
func (s *Syncer) setIndexer(folder int, of *progress.State) {
	s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.IndexerState = of })
}

// setUnanswered records whether the process that indexes a folder has left a request of this one unanswered.
func (s *Syncer) setUnanswered(folder int, isUnanswered bool) {
	s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) {
		if f.LastUnansweredRequest = (time.Time{}); isUnanswered {
			f.LastUnansweredRequest = time.Now()
		}
	})
}

// splitOwn separates the areas in folders that this process indexes (own) from the others, by folder.
func (s *Syncer) splitOwn(areas []Subtree) (own []Subtree, others map[int][]Subtree) {
	others = make(map[int][]Subtree)
	for _, a := range areas {
		if s.IsIndexer(a.Folder) {
			own = append(own, a)
		} else {
			others[a.Folder] = append(others[a.Folder], a)
		}
	}
	return own, others
}

// releaseDuties releases the leases to index, unless the maintenance loop runs, which carries out requests of
// other processes.
func (s *Syncer) releaseDuties() error {
	if s.FreshnessPublisher.Current().IsMaintaining {
		return nil
	}
	var errs []error
	for _, f := range s.Folders {
		errs = append(errs, f.Storage.IndexingLease().Release())
	}
	return errors.Join(errs...)
}

// folderDuties is the state of the duties that this process may have for one folder: to index it, and to
// embed its chunks.
type folderDuties struct {
	leads    bool           // this process is the indexer
	since    time.Time      // when it became the indexer
	embeds   bool           // this process is the embedder
	indexed  bool           // another process indexes the folder, and this process cannot
	stop     func()         // stops the watcher
	answered map[int64]bool // numbers of the requests of other processes that are being carried out
	of       *live.Follower // the follower that the other fields refer to
	version  int64          // of the catalogue at the last poll

	retry <-chan struct{} // closed when the last comparison of a mismatched folder with its library has ended; nil if there was none
}

// resetDuties resets the state for a folder whose catalogue has been opened or replaced.
func (l *maintenanceLoop) resetDuties(folder int, c *live.Follower) {
	d := &l.duties[folder]
	again := d.of != nil
	d.of, d.version, d.answered = c, 0, make(map[int64]bool)
	if again && d.leads {
		l.dirty.addAreas(Subtree{Folder: folder, Base: "."})
	}
}

// assignDuties starts or stops indexing and embedding the documents of a folder, after this process has
// acquired or lost the lease for that.
func (l *maintenanceLoop) assignDuties(ctx context.Context, folder int) {
	d := &l.duties[folder]
	if embeds := l.s.IsEmbedder(folder); embeds != d.embeds {
		d.embeds, d.version = embeds, 0
		l.s.Embedding.Wake()
	}
	leads := l.s.IsIndexer(folder)
	since, _ := l.s.Folders[folder].Storage.IndexingLease().HeldSince()
	again := leads && d.leads && !since.Equal(d.since)
	d.since = since
	switch {
	case again: // it lost the duty meanwhile, and another process took over its work
		d.version, d.answered = 0, make(map[int64]bool)
		l.dirty.addAreas(Subtree{Folder: folder, Base: "."})
	case leads == d.leads:
	case leads:
		l.becomeIndexer(ctx, folder)
	default:
		d.stop()
		d.leads, d.version = false, 0
		l.s.setUnwatched(folder, "")
	}
}

// becomeIndexer makes this process the indexer of a folder.
func (l *maintenanceLoop) becomeIndexer(ctx context.Context, folder int) {
	f := l.s.Folders[folder]
	if file := f.Storage.Describe().File; file != "" {
		if err := l.s.Store.RemoveLeftoverSnapshots(file); err != nil {
			l.s.log.Warn("could not remove files left by another process", "error", err)
		}
	}
	f.Storage.RemoveOldFormats()
	if why := f.Storage.IndexingLease().NotExclusiveReason(); why != nil {
		l.s.log.Warn("the index cannot be locked: several processes may do the same work", "folder", f.Dir(), "error", why)
	}
	watching, stop := context.WithCancel(ctx)
	d := &l.duties[folder]
	l.publisher.forget(d.of)
	d.leads, d.stop, d.answered = true, stop, make(map[int64]bool)
	d.version = 0 // there may be unanswered requests
	begun := l.pendingWatches[folder]
	l.pendingWatches[folder] = nil
	l.group.Go(func() {
		if err := l.s.Guard.Catch("watch the folder", func() error { l.watchFolder(watching, folder, begun); return nil }); err != nil {
			l.s.setUnwatched(folder, message.FromError(err))
		}
	})
}
