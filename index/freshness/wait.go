package freshness

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// WaitTimeout is how long a query waits for a run of this process or another, and how long a command
// waits for the vectors of the documents it has read.
const WaitTimeout = 3 * time.Second

const (
	// vectorPatience is how long a query waits for vectors, and for files that are read in the
	// background.
	vectorPatience = 1500 * time.Millisecond
	// markPatience is how long a query waits for the events of a folder. Without changes, they take
	// less than a thousandth of this time.
	markPatience = time.Second
)

// Purpose is the purpose for which a caller waits for an index.
type Purpose string

const (
	ForAnswer     Purpose = "answer"     // to read the content of documents
	ForSync       Purpose = "sync"       // to run a sync, which takes time itself
	ForCompletion Purpose = "completion" // to complete typed text; nothing need be up to date
)

// Wait waits briefly until the index is up to date, including files saved before now. It fails if
// there is no index to answer from. Notes describes what it did not wait for.
func (f *Freshness) Wait(ctx context.Context, to Purpose) error {
	asked := time.Now()
	if err := f.waitLoaded(ctx, loadingPatience[to]); err != nil || to == ForCompletion {
		return err
	}
	if f.UnresponsiveFolders(); f.areAllMissing() { // there is nothing to wait for
		if to == ForSync {
			return ctx.Err()
		}
		return cmp.Or(f.nothingToAnswerFrom(), ctx.Err())
	}
	f.waitForWork(ctx, WaitTimeout, f.WaitRun)
	if state := f.State(); state.Phase == progress.Failed {
		return message.Errorf("the index cannot be used: %v", state.Failure)
	}
	f.waitForWork(ctx, vectorPatience, f.WaitReady) // background files, and vectors
	refreshing, cancel := context.WithTimeout(ctx, WaitTimeout)
	defer cancel()
	f.refresh(refreshing, asked)
	f.waitForWork(ctx, vectorPatience, f.WaitReady)
	return ctx.Err()
}

// waitForWork waits for ready, but not for work that has already taken longer than patience:
// otherwise such work would delay each query.
func (f *Freshness) waitForWork(ctx context.Context, patience time.Duration, ready func(context.Context) error) {
	until := time.Now().Add(patience)
	state := f.State()
	for _, since := range []time.Time{state.Since, state.EmbedSince} {
		if by := since.Add(patience); !since.IsZero() && by.Before(until) {
			until = by
		}
	}
	waiting, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	_ = ready(waiting) // the response reports whether the index is complete
}

// errSlow means that a query did not wait for a scan.
var errSlow = errors.New("the last scans of the folder took long, questions do not wait for another")

// refresh indexes changes in the folders made before the query started, so that a query right after
// a save finds the saved note. For a folder that is watched as a whole, the events suffice; other
// folders are scanned if scans are quick. It does nothing before the first scan has ended, and does
// not wait for folders that do not respond. Responses report if it could not complete.
func (f *Freshness) refresh(ctx context.Context, asked time.Time) {
	silent := f.UnresponsiveFolders()
	if f.IsScannedSince(asked) {
		f.recordQuestion(asked, false)
		return
	}
	switch s := f.State(); {
	case s.Synced.IsZero(): // responses report that
		return
	case !s.IsIdle(): // the run may have begun before the last save, and end before the response
		f.RecordUnconfirmed(asked)
		return
	}
	left, err := f.unconfirmedFolders(ctx, silent)
	switch {
	case len(left) > 0 && f.mayScan(left):
		err = f.from.Indexer.Compare(ctx, left)
	case len(left) > 0 && f.State().Unwatched == "": // otherwise responses report that already
		err = cmp.Or(err, errSlow)
	}
	f.recordQuestion(asked, err != nil)
	f.logUncertainty(ctx, err)
}

// logUncertainty logs why the index may not be up to date, unless that is reported elsewhere.
func (f *Freshness) logUncertainty(ctx context.Context, err error) {
	switch {
	case err == nil, err == errSlow, ctx.Err() != nil, errors.Is(err, catalog.ErrLeaseLost):
	case f.IsServing() && catalog.IsDatabaseError(err):
	default:
		f.from.Log.Warn("could not bring the index up to date", "error", err)
	}
}

// mayScan reports whether a query may wait for a scan of folders: scans are quick, or one of the
// folders is back and has not been compared since.
func (f *Freshness) mayScan(folders []int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.scans.isQuick() || slices.ContainsFunc(folders, func(i int) bool { return f.folders[i].absent })
}

// unconfirmedFolders returns the reachable folders whose events do not confirm that everything is
// indexed. The error is the reason why it is unknown what other processes have indexed.
func (f *Freshness) unconfirmedFolders(ctx context.Context, silent map[int]bool) (left []int, err error) {
	var faults []error
	for i := range f.from.Folders {
		if silent[i] || f.IsMissing(i) {
			continue
		}
		marked, err := f.isConfirmedByMark(ctx, i)
		faults = append(faults, err)
		if !marked {
			left = append(left, i)
		}
	}
	return left, errors.Join(faults...)
}

// isConfirmedByMark reports whether the events of a folder confirm that all its changes so far are
// indexed. The error is the reason why it is unknown what another process has indexed.
func (f *Freshness) isConfirmedByMark(ctx context.Context, folder int) (bool, error) {
	if f.IsLeftToOthers(folder) {
		f.RecordCompared(folder) // it is compared in any case before this process indexes it
		return f.followFolder(ctx, folder)
	}
	marks := f.from.Folders[folder].MarkerFiles
	if f.IsUncomparedSinceMissing(folder) || !marks.Active() {
		return false, nil
	}
	waiting, cancel := context.WithTimeout(ctx, markPatience)
	defer cancel()
	if err := marks.Wait(waiting); err != nil {
		f.from.Log.Debug("the events of the folder are not told in time, it is scanned", "folder", f.from.Folders[folder].Dir(), "error", err)
		return false, nil
	}
	if f.from.Indexer.IsIndexer(folder) {
		return true, nil
	}
	return f.followFolder(ctx, folder)
}

// followFolder loads what another process has indexed, and reports whether that succeeded.
func (f *Freshness) followFolder(ctx context.Context, folder int) (bool, error) {
	_, err := f.from.Store.Follow(ctx, folder)
	return err == nil, err
}

// UnresponsiveFolders checks all folders concurrently, and returns those that do not respond soon.
func (f *Freshness) UnresponsiveFolders() map[int]bool {
	answers := make([]bool, len(f.from.Folders))
	var group sync.WaitGroup
	for i, folder := range f.from.Folders {
		group.Go(func() { answers[i] = folder.Responds() })
	}
	group.Wait()
	silent := make(map[int]bool)
	for i, answers := range answers {
		if !answers {
			silent[i] = true
		}
	}
	return silent
}
