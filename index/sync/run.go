package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/store/catalog"
)

// Run is one comparison of folders, or parts of them, with their indexes, and the indexing that follows.
type Run struct {
	Comparison
	background    []*backgroundFile   // files in the compared areas that are read in the background
	mismatchNotes map[int]notice.Note // by folder, why it was not indexed: its files are not those of the library, or it is missing
	isLeaseLost   bool                // another process has become the indexer, and does the rest
	before        int                 // number of documents indexed before the run was restarted
}

// NewRun returns a run with the given options.
func (s *Syncer) NewRun(options Comparison) *Run {
	options.s = s
	return &Run{Comparison: options}
}

// manySeen is the number of files and documents compared from which memory is released after a
// scan: comparing 100,000 of each takes 60 MB, and ten times as long as releasing that.
const manySeen = 100_000

// IndexAreas brings the index up to date in the given areas. r has the options, and receives the report.
// It returns r, or the run that continued it after a restart. It does not wait for files that are read
// in the background, see Run.WaitBackground. Only one run is active at a time. Commits made before ctx
// ends are kept.
func (s *Syncer) IndexAreas(ctx context.Context, r *Run, areas []Subtree) (_ *Run, err error) {
	if err := s.turn.Acquire(ctx, 1); err != nil {
		return r, err
	}
	defer s.turn.Release(1)
	for _, a := range areas {
		s.setIndexer(a.Folder, nil) // this process indexes it
	}
	s.FreshnessPublisher.Update((*freshness.Snapshot).StartRun)
	began := time.Now() // or the start of the earliest listing that the run uses instead of a scan
	for _, l := range r.Listings {
		if l.StartedAt.Before(began) {
			began = l.StartedAt
		}
	}
	complete, err := r.indexAndNote(ctx, areas)
	for range s.Folders { // each folder moves to memory at most once
		if err == nil || ctx.Err() != nil || errors.Is(err, catalog.ErrLeaseLost) {
			break
		}
		salvaged, failed := s.moveToMemory(ctx)
		if err = errors.Join(err, failed); !salvaged || failed != nil {
			break
		}
		next := s.NewRun(Comparison{ReplaceLibrary: r.ReplaceLibrary})
		next.background, next.before = r.background, r.before+r.Report.Indexed
		next.Report.Indexed, next.Report.Removed = r.Report.Indexed, r.Report.Removed
		r = next
		complete, err = r.indexAndNote(ctx, areas)
	}
	areas = r.withoutMismatched(areas)
	if errors.Is(err, catalog.ErrLeaseLost) {
		s.log.Info("another process has taken over", "reason", err)
		err, areas = nil, nil // the other process does the rest
		r.isLeaseLost = true
	}
	if complete && s.coversOwn(foldersInWhole(areas)) {
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.FullScanStartedAt = began })
		clear(s.whole)
	}
	if ctx.Err() != nil && !errors.Is(err, catalog.ErrLocked) {
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndRun(nil, false) }) // cancelled, not failed
	} else {
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.EndRun(err, complete) })
		s.saveRunFailure(ctx, areas, err)
	}
	if r.seenCount >= manySeen {
		s.RequestMemoryRelease()
	}
	s.Embedding.Wake()
	return r, err
}

// indexAndNote brings the index up to date in the given areas, and records that. complete reports whether
// all folders that this process indexes have been compared since the last complete run: at startup, they
// are compared one after the other.
func (r *Run) indexAndNote(ctx context.Context, areas []Subtree) (complete bool, err error) {
	x := r.s
	err = x.Guard.Catch("bring the index up to date", func() error { return r.indexAreas(ctx, areas) })
	if x.Store.NeedsReload() && !x.HasReloadedMemoryRecently() { // otherwise reloading was tried in vain
		err = errors.Join(err, x.reload(ctx))
	}
	if err != nil {
		return false, err
	}
	if whole := foldersInWhole(r.withoutMismatched(areas)); len(whole) > 0 {
		x.recordComparedFolders(whole)
		x.saveDirectoryIdentities(ctx, whole)
		maps.Copy(x.whole, whole)
	} else if !x.ownsMissingOnly() {
		return false, nil
	}
	if !x.coversOwn(x.whole) {
		return false, nil
	}
	x.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.RecordScan(r.ScanDuration) })
	if time.Since(x.synced) > freshness.RescanInterval/2 {
		if err := x.saveSyncTime(ctx); err != nil {
			return false, err
		}
		x.synced = time.Now()
	}
	return true, nil
}

// coversOwn reports whether folders includes all folders that this process indexes, except those that
// are missing or do not respond.
func (s *Syncer) coversOwn(folders map[int]bool) bool {
	for i := range s.Folders {
		if s.IsIndexer(i) && !folders[i] && !s.isMissing(i) && !s.isUnresponsive(i) {
			return false
		}
	}
	return len(folders) > 0 || s.ownsMissingOnly()
}

// ownsMissingOnly reports whether all folders that this process indexes are missing, so that there
// is nothing to scan.
func (s *Syncer) ownsMissingOnly() bool {
	owns := false
	for i := range s.Folders {
		if s.IsIndexer(i) {
			if !s.isMissing(i) {
				return false
			}
			owns = true
		}
	}
	return owns
}

func (r *Run) finish() {
	r.Report.SearchableDocuments = r.s.Store.CountDocuments()
	r.Report.Unchanged, r.before = max(0, r.Report.Unchanged-r.before), 0
	slices.SortFunc(r.Report.Skipped, func(a, b notice.SkippedFile) int { return cmp.Compare(a.Path, b.Path) })
	r.Report.Skipped = slices.Compact(r.Report.Skipped)
}

// indexAreas compares every folder before it reads any file, so that progress can be reported for
// all folders.
func (r *Run) indexAreas(ctx context.Context, areas []Subtree) (err error) {
	found := make([]difference, len(r.s.Folders))
	var compared []int
	for i := range found {
		own := slices.DeleteFunc(slices.Clone(areas), func(a Subtree) bool { return a.Folder != i })
		if len(own) == 0 {
			continue
		}
		if len(own) > manyAreas && !r.Force {
			own = []Subtree{{Folder: i, Base: "."}}
		}
		compare := r.compare
		if r.s.Folders[i].Storage.Describe().IsShared {
			compare = r.compareWithLibrary
		}
		var d difference
		if d, err = compare(ctx, i, own); err != nil {
			if err = r.recordMismatch(err); err == nil {
				continue
			}
			err = r.indexError(i, err)
			break // the folders before it are still indexed
		}
		r.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.ExpectFiles(len(d.Foreground) + len(d.Background)) })
		found[i], compared = d, append(compared, i)
	}
	for _, i := range compared {
		if failed := r.indexFolder(ctx, i, found[i]); failed != nil {
			return r.indexError(i, failed)
		}
	}
	return err
}

func (r *Run) indexError(folder int, err error) error {
	return fmt.Errorf("index %s: %w", r.s.Folders[folder].Dir(), err)
}

// manyAreas is the number of areas from which a scan of the whole folder is cheaper than a scan of
// each.
const manyAreas = 64

// indexFolder applies the result of comparing a folder: it first indexes new and changed files, and
// then removes deleted documents, so that a renamed document never disappears.
func (r *Run) indexFolder(ctx context.Context, folder int, d difference) error {
	if len(d.Foreground) > 0 {
		if err := r.indexFiles(ctx, folder, d.Foreground); err != nil {
			return err
		}
	}
	slow := d.Background
	if len(d.Deleted) > 0 {
		var err error
		if slow, err = r.commitMoved(ctx, folder, d.Background, d.Deleted); err != nil {
			return err
		}
		r.s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.AddReadFiles(len(d.Background) - len(slow)) })
		if err := r.removeGone(ctx, folder, d.Deleted); err != nil {
			return err
		}
	}
	if r.Force {
		if err := r.s.Store.ClearRefusals(ctx, folder); err != nil {
			return fmt.Errorf("have the model asked again: %w", err)
		}
	}
	if len(slow) > 0 {
		r.background = append(r.background, r.s.background.enqueue(folder, slow, r.Force)...)
	}
	return nil
}

// recordMismatch records the folders of a FolderMismatchError in the run and returns nil; it returns any
// other error.
func (r *Run) recordMismatch(err error) error {
	var mismatch freshness.FolderMismatchError
	if !errors.As(err, &mismatch) {
		return err
	}
	if r.mismatchNotes == nil {
		r.mismatchNotes = make(map[int]notice.Note)
	}
	maps.Copy(r.mismatchNotes, mismatch.Folders)
	return nil
}

// FolderMismatchError returns a FolderMismatchError about the folders in areas that the run did not index; nil if
// there are none.
func (r *Run) FolderMismatchError(areas []Subtree) error {
	if len(r.mismatchNotes) == 0 {
		return nil
	}
	return freshness.FolderMismatchError{Folders: r.mismatchNotes, IsPartlyFresh: len(r.withoutMismatched(areas)) > 0}
}

// withoutMismatched returns the areas without those in folders that were not indexed because their
// files are not those of the library, or because they are missing.
func (r *Run) withoutMismatched(areas []Subtree) []Subtree {
	return slices.DeleteFunc(slices.Clone(areas), func(a Subtree) bool {
		_, spared := r.mismatchNotes[a.Folder]
		return spared
	})
}

// saveRunFailure saves the error of an indexing run, nil for none, for each of the subtrees that
// it covered, so that status reports can show it.
func (s *Syncer) saveRunFailure(ctx context.Context, areas []Subtree, failed error) {
	for i := range s.Folders {
		c := s.Store.Follower(i)
		isOf := slices.ContainsFunc(areas, func(a Subtree) bool { return a.Folder == i })
		if !isOf || c == nil || failed == nil && s.savedSuccess[i] == c {
			continue
		}
		if err := progress.SaveFailure(ctx, c, progress.RunFailureKey, failed); err != nil {
			s.log.Debug("could not note how the run ended", "error", err)
			continue
		}
		if s.savedSuccess[i] = nil; failed == nil {
			s.savedSuccess[i] = c
		}
	}
}

func (s *Syncer) saveSyncTime(ctx context.Context) error {
	for i := range s.Folders {
		if !s.IsIndexer(i) || s.isMissing(i) {
			continue
		}
		c := s.Store.Follower(i)
		if err := progress.SetSynced(ctx, c, time.Now()); err != nil {
			return fmt.Errorf("save the time of the scan of %s: %w", s.Folders[i].Dir(), err)
		}
	}
	return nil
}
