package sync

import (
	"context"
	"time"

	"vademecum/index/live"
	"vademecum/internal/base/message"
)

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
			l.s.Log.Warn("could not remove what another process left", "error", err)
		}
	}
	f.Storage.RemoveOldFormats()
	if why := f.Storage.IndexingLease().NotExclusiveReason(); why != nil {
		l.s.Log.Warn("the index cannot be locked: several processes may do the same work", "folder", f.Dir(), "error", why)
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

// reconsiderEvery is the interval at which a mismatched folder is compared with its library again,
// unless scans take long.
const reconsiderEvery = time.Second

// retryMismatched compares mismatched folders again when it is time, outside the loop because a
// scan may take long. It skips a folder whose lease has not been given up yet: otherwise the lease
// might be acquired again before the loop notices that it was lost.
func (l *maintenanceLoop) retryMismatched(ctx context.Context, now time.Time) {
	known := l.s.Fresh.Current()
	pause := known.ScanDelay(reconsiderEvery)
	for i, f := range l.s.Folders {
		d := &l.duties[i]
		if known.Folders[i].MismatchNote == nil || d.leads || now.Sub(known.Folders[i].MismatchFoundAt) < pause || f.UnresponsiveFor() > 0 || isUnderWay(d.retry) {
			continue
		}
		d.retry = l.begin(func() {
			if err := l.s.Guard.Catch("compare the folder with its library", func() error { return l.s.RetryMismatched(ctx, i) }); err != nil && ctx.Err() == nil {
				l.s.Log.Debug("could not compare the folder with its library", "folder", f.Dir(), "error", err)
			}
		})
	}
}

// compareOthersOnce compares the folders that other processes index once, so that a mismatch is
// reported before the first query.
func (l *maintenanceLoop) compareOthersOnce(ctx context.Context) {
	for i, f := range l.s.Folders {
		if !f.Storage.Describe().IsShared || l.s.isLeftToOthers(i) || l.duties[i].leads {
			continue
		}
		l.group.Go(func() {
			_ = l.s.Guard.Catch("compare the folder with its library", func() error {
				return l.s.refreshOther(ctx, i, []Subtree{{Folder: i, Base: "."}})
			}) // queries do the same and report the result
		})
	}
}
