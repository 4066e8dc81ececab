package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// QueryWaitTimeout is how long a query waits for a run of this process or another, and how long a command
// waits for the vectors of the documents it has read.
const QueryWaitTimeout = 3 * time.Second

const (
	// vectorPatience is how long a query waits for vectors, and for files that are read in the
	// background.
	vectorPatience = 1500 * time.Millisecond
	// silentPatience is how long a query waits for a run while a folder does not respond: the run may
	// be waiting for that folder.
	silentPatience = 300 * time.Millisecond
	// markPatience is how long a query waits for the events of a folder. Without changes, they take
	// less than a thousandth of this time.
	markPatience = time.Second
	// reachPatience is how long to wait for the first response of a database.
	reachPatience = 5 * time.Second
)

// WaitPurpose is the purpose for which a caller waits for an index. It determines for how long.
type WaitPurpose string

const (
	WaitPurposeAnswer         WaitPurpose = "answer"     // to read the content of documents
	WaitPurposeSync           WaitPurpose = "sync"       // to run a sync, which takes time itself
	WaitPurposeAutocompletion WaitPurpose = "completion" // to complete typed text; nothing need be up to date
)

// loadingPatience is how long a request waits for a stored index to be loaded; until then the
// content of documents is unknown. Hosts limit a call to about a minute, which must leave time for
// the rest.
var loadingPatience = map[WaitPurpose]time.Duration{WaitPurposeAnswer: 45 * time.Second, WaitPurposeSync: 20 * time.Second, WaitPurposeAutocompletion: QueryWaitTimeout}

// WaitFresh waits briefly until the index is up to date, including files saved before now. It fails
// if there is no index to answer from. The notes of Freshness describe what it did not wait for.
func (s *Syncer) WaitFresh(ctx context.Context, purpose WaitPurpose) error {
	asked := time.Now()
	if err := s.waitLoaded(ctx, loadingPatience[purpose]); err != nil || purpose == WaitPurposeAutocompletion {
		return err
	}
	patience := QueryWaitTimeout
	if len(s.FindUnresponsiveFileSystems()) > 0 {
		patience = silentPatience
	}
	missing := make(map[int]notice.Note)
	for i, f := range s.Folders {
		if why := f.MissingError(); why != nil {
			missing[i] = s.missingNote(i, why)
		}
	}
	if len(missing) > 0 && len(missing) == len(s.Folders) { // there is nothing to wait for
		if purpose == WaitPurposeSync || s.Store.CountDocuments() > 0 {
			return ctx.Err()
		}
		return freshness.FolderMismatchError{Folders: missing}
	}
	s.waitForWork(ctx, patience, s.WaitUntilRunOver)
	if state := s.FreshnessPublisher.Current().State; state.Phase == progress.Failed {
		return message.Errorf("the index cannot be used: %v", state.Failure)
	}
	s.waitForWork(ctx, min(patience, vectorPatience), s.WaitComplete) // background files, and vectors
	refreshing, cancel := context.WithTimeout(ctx, QueryWaitTimeout)
	defer cancel()
	s.refresh(refreshing, asked, s.CompareAndIndex)
	s.waitForWork(ctx, min(patience, vectorPatience), s.WaitComplete)
	return ctx.Err()
}

// WaitLoaded blocks until loading has ended, and returns its error or that of ctx. Until then the
// content of documents is unknown.
func (s *Syncer) WaitLoaded(ctx context.Context) error {
	if err := s.FreshnessPublisher.Wait(ctx, func(now freshness.Snapshot) bool { return now.HasLoaded }); err != nil {
		return err
	}
	return s.FreshnessPublisher.Current().LoadError
}

// WaitUntilRunOver blocks until the folders have been compared with the index once and no run is in
// progress, or until something has failed. Files may still be read in the background.
func (s *Syncer) WaitUntilRunOver(ctx context.Context) error {
	return s.FreshnessPublisher.Wait(ctx, freshness.Snapshot.IsRunOver)
}

// WaitComplete blocks until the folders have been compared with the index once, no run is in progress
// and every chunk has its vector, or until something has failed.
func (s *Syncer) WaitComplete(ctx context.Context) error {
	return s.FreshnessPublisher.Wait(ctx, func(now freshness.Snapshot) bool {
		switch state := now.State; {
		case state.Phase == progress.Failed, state.Failure != "":
			return true
		case state.Phase != progress.Ready || state.IsBehind():
			return false
		default:
			return state.EmbedFailure != "" || !state.IsPeerEmbeddingDue && !s.Embedding.HasPendingChunks()
		}
	})
}

// waitLoaded waits for the index to be loaded, and fails if it cannot be used yet. It waits less
// than patience if loading fails, or cannot begin because a database does not respond.
func (s *Syncer) waitLoaded(ctx context.Context, patience time.Duration) error {
	for began := time.Now(); ; {
		now := s.FreshnessPublisher.Current()
		isUnheard := !now.IsStorageReached && slices.ContainsFunc(s.Folders, func(f roots.Root) bool { return f.Storage.Describe().IsShared })
		waited := time.Since(began)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case now.HasLoaded && now.LoadError != nil:
			return fmt.Errorf("the index cannot be used: %w", now.LoadError)
		case now.HasLoaded:
			return nil
		case waited < patience && (waited < QueryWaitTimeout || now.State.Failure == "") && (waited < reachPatience || !isUnheard):
		case now.State.IsDatabaseUnreachable:
			return message.Errorf("the index cannot be used yet: %v", catalog.ErrDatabaseUnreachable)
		case isUnheard:
			return fmt.Errorf("the index cannot be used yet: %w, or answers slowly: ask again in a moment", catalog.ErrDatabaseUnreachable)
		case now.State.Failure != "":
			return message.Errorf("the index cannot be used yet: %v", now.State.Failure)
		default:
			return errors.New("the index is still being loaded, nothing can be said yet of what the documents hold: ask again in a moment")
		}
		soon, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		_ = s.WaitLoaded(soon)
		cancel()
	}
}

// waitForWork calls ready, which waits for work in progress, for at most patience. If such work has already
// taken longer, it does not wait, because otherwise the work would delay each query.
func (s *Syncer) waitForWork(ctx context.Context, patience time.Duration, ready func(context.Context) error) {
	until := time.Now().Add(patience)
	state := s.FreshnessPublisher.Current().State
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
// folders are passed to compare if scans are quick. It does nothing before the first scan has
// ended, and does not wait for folders that do not respond. Responses report if it could not
// complete.
func (s *Syncer) refresh(ctx context.Context, asked time.Time, compare func(context.Context, []int) error) {
	silent := s.FindUnresponsiveFileSystems()
	now := s.FreshnessPublisher.Current()
	switch {
	case now.FullScanStartedAt.After(asked):
		s.recordQuestion(asked, func(int) bool { return false })
		return
	case now.State.Synced.IsZero(): // responses report that
		return
	case !now.State.IsIdle(): // the run may have begun before the last save, and end before the response
		s.recordQuestion(asked, func(int) bool { return true })
		return
	}
	unconfirmed, left, err := s.unconfirmedFolders(ctx, silent)
	if len(left) > 0 {
		now = s.FreshnessPublisher.Current()
		isBack := func(i int) bool { return now.Folders[i].IsUncomparedSinceAbsence } // it has to be compared in any case
		var failed error
		switch {
		case now.AreScansQuick() || slices.ContainsFunc(left, isBack):
			failed = compare(ctx, left)
		case now.State.UnwatchedReason == "": // otherwise responses report that already
			failed = errSlow
		}
		for _, i := range left {
			unconfirmed[i] = failed != nil
		}
		err = cmp.Or(failed, err)
	}
	s.recordQuestion(asked, func(folder int) bool { return unconfirmed[folder] })
	switch { // log it, unless it is reported elsewhere
	case err == nil, err == errSlow, ctx.Err() != nil, errors.Is(err, catalog.ErrLeaseLost):
	case now.IsMaintaining && catalog.IsDatabaseUnusable(err):
	default:
		s.log.Warn("could not update the index", "error", err)
	}
}

// recordQuestion records of which folders a query could not confirm that all files saved before it are
// indexed.
func (s *Syncer) recordQuestion(asked time.Time, isUnconfirmed func(folder int) bool) {
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.RecordQuestion(asked, isUnconfirmed) })
}

// unconfirmedFolders returns the folders of which it is not certain that everything is indexed: those in
// silent, which do not respond, and those whose events do not confirm it. The latter are also in left,
// because they have yet to be compared. err says why it is unknown what other processes have indexed; nil if
// it is known.
func (s *Syncer) unconfirmedFolders(ctx context.Context, silent map[int]bool) (unconfirmed map[int]bool, left []int, err error) {
	unconfirmed = maps.Clone(silent) // which may answer again before the response does
	for i := range s.Folders {
		if silent[i] || s.isMissing(i) {
			continue
		}
		isConfirmed, fault := s.isConfirmedByMark(ctx, i)
		err = errors.Join(err, fault)
		if unconfirmed[i] = !isConfirmed; !isConfirmed {
			left = append(left, i)
		}
	}
	return unconfirmed, left, err
}

// isConfirmedByMark reports whether the events of a folder confirm that all its changes so far are
// indexed, after loading what another process has indexed. The error is the reason why that is
// unknown.
func (s *Syncer) isConfirmedByMark(ctx context.Context, folder int) (bool, error) {
	if s.isLeftToOthers(folder) {
		s.recordComparedFolders(map[int]bool{folder: true}) // it is compared in any case before this process indexes it
	} else {
		marks := s.Folders[folder].Barrier
		if s.FreshnessPublisher.Current().Folders[folder].IsUncomparedSinceAbsence || !marks.AnyProcessRemovesMarks() {
			return false, nil
		}
		waiting, cancel := context.WithTimeout(ctx, markPatience)
		defer cancel()
		if err := marks.Wait(waiting); err != nil {
			s.log.Debug("the events of the folder are not told in time, it is scanned", "folder", s.Folders[folder].Dir(), "error", err)
			return false, nil
		}
		if s.IsIndexer(folder) {
			return true, nil
		}
	}
	_, err := s.Store.Follow(ctx, folder)
	return err == nil, err
}

// FindUnresponsiveFileSystems checks all folders concurrently, and returns those whose file systems do not respond
// soon.
func (s *Syncer) FindUnresponsiveFileSystems() map[int]bool {
	answers := make([]bool, len(s.Folders))
	var group sync.WaitGroup
	for i, folder := range s.Folders {
		group.Go(func() { answers[i] = folder.IsResponding() })
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
