package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vademecum/docs"
	"vademecum/index/freshness"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// This process compares folders that another process indexes, and sends a request if something must
// be done.

// syncOther compares a folder that another process indexes, and asks that process to bring it up to date if
// there are changes.
func (s *Syncer) syncOther(ctx context.Context, r *Run, folder int, areas []Subtree) error {
	looked := &Comparison{s: s}
	var d difference
	f, mismatch := s.Folders[folder], s.FreshnessPublisher.Current().Folders[folder].MismatchNote
	switch {
	case mismatch != nil:
		return freshness.FolderMismatchError{Folders: map[int]notice.Note{folder: *mismatch}}
	case r.ReplaceLibrary:
		return s.whyNotReplaceable(ctx, folder)
	case f.IsRemote() && !s.hasIndexer(ctx, folder):
		_, err := s.Store.Follow(ctx, folder)
		s.recordCompared(folder, err)
		return err // a note says that no process sees the files
	case !f.IsRemote() && !r.Force:
		var err error
		if d, err = looked.compare(ctx, folder, areas); err != nil || d.IsEmpty() {
			mergeAnswer(r, folder, s.answerOf(looked, folder))
			s.recordCompared(folder, err)
			return err
		}
	}
	waiting, cancel := ctx, context.CancelFunc(func() {})
	if s.waitTimeout > 0 {
		waiting, cancel = context.WithTimeout(ctx, s.waitTimeout)
	}
	defer cancel()
	began := time.Now()
	a, err := s.requestSync(waiting, syncRequest{Folder: folder, Areas: areas, Force: r.Force})
	s.rememberPutOff(ctx, folder, d, time.Since(began), err)
	late := errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
	s.setUnanswered(folder, late)
	if late {
		if !s.FreshnessPublisher.Current().State.IsBehind() { // although it does not report that it is behind
			s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.ResetFolder(folder) })
		}
		return nil
	}
	if o := s.overlapOf(folder, d); err == nil && o.isMismatch() && f.Storage.Describe().IsShared {
		return s.MarkMismatched(folder, o)
	}
	mergeAnswer(r, folder, a)
	s.recordCompared(folder, err)
	return err
}

// whyNotReplaceable returns an error that says why a library cannot be replaced by the content of a folder
// now: another process indexes it.
func (s *Syncer) whyNotReplaceable(ctx context.Context, folder int) error {
	n, err := progress.IndexerReportOf(ctx, s.Store.Follower(folder))
	if err != nil {
		return err
	}
	return fmt.Errorf("%s keeps %s as its own folder is: end it first", n.Indexer, s.Folders[folder].Storage.Describe().Name)
}

// recordCompared records that a folder indexed by another process is up to date, unless the maintenance
// loop runs, which follows the progress of that process.
func (s *Syncer) recordCompared(folder int, err error) {
	if err == nil && !s.FreshnessPublisher.Current().IsMaintaining {
		s.setIndexer(folder, &progress.State{Phase: progress.Ready, Synced: time.Now()})
	}
}

// refreshOther asks the indexer of a folder to index changes that it has not noticed yet.
func (s *Syncer) refreshOther(ctx context.Context, folder int, areas []Subtree) error {
	// one at a time, because the folder may turn out to be a mismatch
	if err := s.comparing.Acquire(ctx, 1); err != nil {
		return err
	}
	r := &Comparison{s: s, trustsTimestamps: true}
	d, err := r.compare(ctx, folder, areas)
	s.comparing.Release(1)
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.RecordScan(r.ScanDuration) })
	if err == nil {
		// what remains to be done is recorded below
		s.recordComparedFolders(foldersInWhole(areas))
	}
	if err != nil || d.IsEmpty() {
		if err == nil {
			s.saveDirectoryIdentities(ctx, foldersInWhole(areas))
		}
		s.setUnanswered(folder, err != nil && s.FreshnessPublisher.Current().Folders[folder].HasUnansweredRequest())
		return err
	}
	began := time.Now()
	_, err = s.requestSync(ctx, syncRequest{Folder: folder, Areas: areas, IsObsolete: func() bool { return s.isTakenUp(ctx, folder, d) }})
	s.rememberPutOff(ctx, folder, d, time.Since(began), err)
	if errors.As(err, new(freshness.FolderMismatchError)) {
		// this process has taken over; a note says so
		err = nil
	} else if o := s.overlapOf(folder, d); err == nil && o.isMismatch() && s.Folders[folder].Storage.Describe().IsShared {
		s.MarkMismatched(folder, o) // a note says so
	}
	s.setUnanswered(folder, err != nil)
	return err
}

// rememberPutOff records which files the indexer was asked to read but has put off, because they change all
// the time. It is then not asked again for each query, and notes report the files.
func (s *Syncer) rememberPutOff(ctx context.Context, folder int, d difference, took time.Duration, err error) {
	if err != nil {
		return
	}
	if _, err := s.Store.Follow(ctx, folder); err != nil {
		return
	}
	for _, f := range append(d.Foreground, d.Background...) {
		at := search.Location{Folder: folder, Path: f.Path}
		if now, ok := s.Store.Document(at); ok && !docs.IsSlowToRead(f.Path) && !hasFileState(now, f) {
			s.RereadBackoff.RecordRead(at, max(minThrottledReadTime, took), time.Now())
			s.RereadBackoff.recordChangedDuringRead(at)
		}
	}
}

// isTakenUp reports whether the indexer of a folder has indexed a difference, except for files that it reads
// in the background.
func (s *Syncer) isTakenUp(ctx context.Context, folder int, d difference) bool {
	if _, err := s.Store.Follow(ctx, folder); err != nil || len(d.Foreground)+len(d.Deleted) == 0 {
		return false
	}
	for _, f := range d.Foreground {
		if now, ok := s.Store.Document(search.Location{Folder: folder, Path: f.Path}); !ok || !hasFileState(now, f) {
			return false
		}
	}
	return !slices.ContainsFunc(d.Deleted, func(old *search.Document) bool {
		now, ok := s.Store.Document(search.Location{Folder: folder, Path: old.Path})
		return ok && now.ID == old.ID
	})
}

// CompareAndIndex scans folders and indexes the changes in them, or asks other indexers to do so. It skips
// folders whose files are not those of their libraries, which notes report. It returns
// catalog.ErrLeaseLost if another process has taken over in the meantime.
func (s *Syncer) CompareAndIndex(ctx context.Context, folders []int) error {
	var whole []Subtree
	for _, i := range folders {
		whole = append(whole, Subtree{Folder: i, Base: "."})
	}
	own, others := s.splitOwn(whole)
	if len(own) > 0 {
		r, err := s.IndexAreas(ctx, s.NewRun(Comparison{}), own)
		if err != nil {
			return err
		}
		if r.isLeaseLost {
			return catalog.ErrLeaseLost
		}
	}
	for folder, areas := range others {
		if err := s.refreshOther(ctx, folder, areas); err != nil {
			return err
		}
	}
	return nil
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
