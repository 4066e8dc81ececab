package sync

import (
	"context"
	"errors"
	"maps"
	"path"
	"slices"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/index/freshness"
	"vademecum/index/store/catalog"
)

// dirtySet collects the areas of folders that must be compared with the index, and makes the calls that
// wait for that comparison. It has a lock because it is the queue between watchers, which
// must not wait, and syncDirtyAreas, and merges what is in it.
type dirtySet struct {
	signal chan struct{} // holds a token if there may be areas to take

	mu       sync.Mutex
	areas    map[Subtree]bool
	listings map[int]docs.Listing // by folder; they replace the scan of folders that are dirty as a whole
	added    int                  // number of additions
	compared int                  // number of additions that were followed by a comparison
	leftOut  map[int]bool         // folders with areas that the last comparison left out
	failed   bool                 // whether the last comparison was incomplete
	waiting  []waitingCall        // calls to be made after comparisons
}

// waitingCall is a call to be made when what the first until additions have added in a folder was compared.
type waitingCall struct {
	folder, until int
	then          func(hasFailed bool)
}

func newDirtySet() *dirtySet {
	return &dirtySet{
		signal:   make(chan struct{}, 1),
		areas:    make(map[Subtree]bool),
		listings: make(map[int]docs.Listing),
	}
}

// addAreas adds areas to be compared, and wakes the consumer.
func (s *dirtySet) addAreas(areas ...Subtree) {
	s.addWithoutWaking(areas)
	s.wake()
}

// addWithoutWaking adds areas without waking the consumer.
func (s *dirtySet) addWithoutWaking(areas []Subtree) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range areas {
		s.areas[a] = true
	}
	s.added++
}

func (s *dirtySet) wake() {
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

// addListed adds a whole folder, and a listing of its files, which is used instead of a scan unless it is
// zero.
func (s *dirtySet) addListed(folder int, found docs.Listing) {
	if !found.StartedAt.IsZero() {
		s.mu.Lock()
		s.listings[folder] = found
		s.mu.Unlock()
	}
	s.addAreas(Subtree{Folder: folder, Base: "."})
}

// addChanged adds changed paths of a folder that the system reported. It drops the listing of the
// folder, which may be older than the change.
func (s *dirtySet) addChanged(folder int, paths []string) {
	s.mu.Lock()
	delete(s.listings, folder)
	s.mu.Unlock()
	areas := make([]Subtree, len(paths))
	for i, p := range paths {
		areas[i] = Subtree{Folder: folder, Base: p}
	}
	s.addAreas(areas...)
}

// takeAreas removes and returns all areas, except those of the folders in except, which cannot be read. It
// leaves out areas inside other areas. taken is to be passed to markCompared after the comparison.
func (s *dirtySet) takeAreas(except map[int]bool) (areas []Subtree, taken takenAreas) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for a := range s.areas {
		if !except[a.Folder] && !s.covers(a) {
			areas = append(areas, a)
		}
	}
	maps.DeleteFunc(s.areas, func(a Subtree, _ bool) bool { return !except[a.Folder] })
	taken = takenAreas{until: s.added, leftOut: make(map[int]bool)}
	for a := range s.areas {
		taken.leftOut[a.Folder] = true
	}
	return areas, taken
}

// takenAreas says which areas were taken for a comparison: those of the first until additions to the
// dirtySet, except in the folders leftOut.
type takenAreas struct {
	until   int
	leftOut map[int]bool
}

// covers reports whether the area lies inside another area of the set.
func (s *dirtySet) covers(a Subtree) bool {
	for base := a.Base; base != "."; {
		base = path.Dir(base)
		if s.areas[Subtree{Folder: a.Folder, Base: base}] {
			return true
		}
	}
	return false
}

// takeListings removes and returns the listings of those folders that are among areas as a whole.
func (s *dirtySet) takeListings(areas []Subtree) map[int]docs.Listing {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := make(map[int]docs.Listing)
	for _, a := range areas {
		if found, ok := s.listings[a.Folder]; ok && a == (Subtree{Folder: a.Folder, Base: "."}) {
			taken[a.Folder] = found
			delete(s.listings, a.Folder)
		}
	}
	return taken
}

// wakeIfAny wakes the consumer if there are areas of folders that are not in except.
func (s *dirtySet) wakeIfAny(except map[int]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for a := range s.areas {
		if !except[a.Folder] {
			s.wake()
			return
		}
	}
}

// markCompared records that areas were compared, and whether that was incomplete.
func (s *dirtySet) markCompared(taken takenAreas, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.compared, s.leftOut, s.failed = taken.until, taken.leftOut, failed
	s.makeCalls()
}

// afterComparison calls then when what was added in a folder so far was compared. While the folder does not
// respond it is not: it may have seemed so only because this process was stopped. then must not block, or
// use the dirtySet.
func (s *dirtySet) afterComparison(folder int, then func(hasFailed bool)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, waitingCall{folder, s.added, then})
	s.makeCalls()
}

// makeCalls makes the calls that need not wait any more. The caller holds mu.
func (s *dirtySet) makeCalls() {
	s.waiting = slices.DeleteFunc(s.waiting, func(w waitingCall) bool {
		if s.compared < w.until || s.leftOut[w.folder] {
			return false
		}
		w.then(s.failed)
		return true
	})
}

// syncDirtyAreas brings the dirty areas up to date, until ctx ends.
func (l *maintenanceLoop) syncDirtyAreas(ctx context.Context) {
	failed := false // the last time
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.dirty.signal:
			areas, taken := l.dirty.takeAreas(l.unreachableFolders())
			if len(areas) > 0 {
				if err := l.s.Guard.Catch("bring the index up to date", func() error { failed = l.syncAreas(ctx, areas, failed); return nil }); err != nil {
					failed = true // after a panic it is unknown what was compared
				}
			}
			l.dirty.markCompared(taken, failed)
		}
	}
}

// unreachableFolders returns the folders that do not respond or are known to be missing.
func (l *maintenanceLoop) unreachableFolders() map[int]bool {
	silent, known := make(map[int]bool), l.s.FreshnessPublisher.Current().Folders
	for i, f := range l.s.Folders {
		silent[i] = f.UnresponsiveFor() > 0 || known[i].IsUncomparedSinceAbsence && f.MissingError() != nil
	}
	return silent
}

// resumeThrottled schedules those files to be read whose reading was postponed until now, in folders that
// this process indexes.
func (l *maintenanceLoop) resumeThrottled() {
	for _, at := range l.s.RereadBackoff.TakeDue(time.Now()) {
		if l.duties[at.Folder].leads {
			l.dirty.addAreas(Subtree{Folder: at.Folder, Base: at.Path})
		}
	}
}

// syncAreas brings areas up to date, and reports whether that was incomplete; hadFailed, whether it was the last
// time.
func (l *maintenanceLoop) syncAreas(ctx context.Context, areas []Subtree, hadFailed bool) (failed bool) {
	listings := l.dirty.takeListings(areas)
	if areas, _ = l.s.splitOwn(areas); len(areas) == 0 { // another process has taken over meanwhile
		return true // it is unknown whether that process has reached these areas
	}
	r, err := l.s.IndexAreas(ctx, l.s.NewRun(Comparison{Listings: listings}), areas)
	r.finish()
	report := r.Report
	failed = err != nil || r.isLeaseLost
	left := failed || len(r.mismatchNotes) > 0
	// For missing folders, marks are not handled anyway.
	onlyMissing := !failed && freshness.IsMissingFolderError(freshness.FolderMismatchError{Folders: r.mismatchNotes})
	if left && ctx.Err() == nil { // these changes are not reported again
		l.dirty.addWithoutWaking(areas)
	}
	if len(r.mismatchNotes) > 0 {
		l.dirty.wake() // so that the other folders are compared completely
	}
	switch {
	case ctx.Err() != nil:
	case errors.Is(err, docs.ErrNotResponding):
		l.s.log.Warn("a folder does not answer, it is looked at again when it does", "error", err)
	case err != nil:
		if !hadFailed && !catalog.IsDatabaseUnusable(err) { // database errors are reported elsewhere
			l.s.log.Error("could not update the index, it is tried again", "error", err)
		}
		if errors.Is(err, catalog.ErrDamaged) && l.s.canRepair() {
			l.s.RequestDamageCheck()
		}
	case report.Indexed+report.Removed > 0:
		l.s.log.Info("indexed", "documents", report.Indexed, "removed", report.Removed, "skipped", len(report.Skipped), "total", report.SearchableDocuments)
	}
	return left && !onlyMissing
}
