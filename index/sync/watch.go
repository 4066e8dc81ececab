package sync

import (
	"context"

	"vademecum/docs"
	"vademecum/index/freshness"
	"vademecum/internal/base/message"
)

// watchState is a running watcher of a folder, or the error by which it could not be started.
type watchState struct {
	*docs.Watcher
	err error
}

// watchWhileLoading watches and lists folders while the index is being loaded. It skips folders
// that another process indexes.
func (l *maintenanceLoop) watchWhileLoading(ctx context.Context) {
	for i, f := range l.s.Folders {
		if f.IsRemote() || f.Storage.IndexingLease().IsHeldByAny(ctx) {
			continue
		}
		begun := make(chan watchState, 1)
		l.pendingWatches[i] = begun
		l.group.Go(func() { begun <- l.startWatching(i) })
	}
}

// unwatchOthers stops the watchers that were not used, because another process indexes their
// folders.
func (l *maintenanceLoop) unwatchOthers() {
	for i, begun := range l.pendingWatches {
		if begun == nil {
			continue
		}
		l.pendingWatches[i] = nil
		l.group.Go(func() {
			if w := <-begun; w.err == nil {
				w.Close()
			}
		})
	}
}

// setUnwatched records why a folder is not watched as a whole; "" if it is.
func (s *Syncer) setUnwatched(folder int, why message.Message) {
	s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.UnwatchedReason = why })
}

// startWatching starts a watcher of a folder.
func (l *maintenanceLoop) startWatching(folder int) (w watchState) {
	f := l.s.Folders[folder]
	if err := l.s.Guard.Catch("watch the folder", func() error { w.Watcher, w.err = f.Watch(f.Barrier.Dir()); return nil }); err != nil {
		w.err = err
	}
	return w
}

// watchFolder schedules scans of a folder, first of all of it and then of the changed parts. begun
// delivers the watcher if one is already being started; otherwise it is nil.
func (l *maintenanceLoop) watchFolder(ctx context.Context, folder int, begun <-chan watchState) {
	f := l.s.Folders[folder]
	var w watchState
	if begun != nil {
		w = <-begun
	} else {
		w = l.startWatching(folder)
	}
	if w.err != nil {
		l.dirty.addAreas(Subtree{Folder: folder, Base: "."})
		l.s.log.Warn("cannot watch the folder, it is scanned from time to time", "folder", f.Dir(), "every", freshness.RescanInterval, "error", w.err)
		return
	}
	defer w.Close()
	l.dirty.addListed(folder, w.InitialListing())
	var logged message.Message
	state := func() {
		why := w.IncompleteReason()
		switch {
		case why == logged:
		case why != "":
			l.s.log.Warn("not all of the folder is watched, it is scanned from time to time", "folder", f.Dir(), "every", freshness.RescanInterval, "reason", why)
		default:
			l.s.log.Info("all of the folder is watched again", "folder", f.Dir())
		}
		logged = why
		l.s.setUnwatched(folder, why)
		f.Barrier.SetRemovesMarks(w.MarkersCoverAllChanges())
	}
	state()
	defer f.Barrier.SetRemovesMarks(false)
	err := w.Run(ctx, docs.WatchCallbacks{
		Changed: func(paths []string) {
			l.dirty.addChanged(folder, paths)
			state()
		},
		MarkerSeen: func(name string) {
			if !w.MarkersCoverAllChanges() {
				return
			}
			l.dirty.afterComparison(folder, func(hasFailed bool) {
				if !hasFailed && ctx.Err() == nil { // otherwise waiters scan the folder themselves
					l.group.Go(func() { f.Barrier.RemoveMark(name) })
				}
			})
		},
	})
	if err != nil && ctx.Err() == nil {
		l.s.log.Warn("stopped watching the folder", "folder", f.Dir(), "error", err)
	}
}
