package sync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/store/catalog"
)

// A database can be changed by other programs: rows may be lost that no query needs directly. So
// the process that indexes counts the rows from time to time. Everything is read if the counts have
// changed, or if a process has found damage. Damaged data is removed only if the folder has been
// seen to have the files of the library, so that they are indexed again: otherwise a wrong folder
// could replace the library.

// checkRequests controls when the content of a database is checked.
type checkRequests struct {
	wanted chan struct{} // holds an element if a process has found damage

	mu sync.Mutex
	// closed during the next check: own after the libraries that this process indexes were checked, all
	// after those of other processes, too
	own, all  chan struct{}
	askOthers bool // other indexers must check their libraries, too, because this process has found damage
	// requests are ignored until this time, because the last check found nothing
	quiet time.Time
}

func newCheckRequests() *checkRequests {
	return &checkRequests{wanted: make(chan struct{}, 1), own: make(chan struct{}), all: make(chan struct{})}
}

// request requests a check of all libraries, and returns a channel that is closed when it is done; nil if
// a recent check found nothing. For another process (forAnother), only the libraries that this process
// indexes are checked: if it waited for other processes, they might wait for each other.
func (c *checkRequests) request(forAnother bool) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.quiet) {
		return nil
	}
	select {
	case c.wanted <- struct{}{}:
	default:
	}
	if forAnother {
		return c.own
	}
	c.askOthers = true
	return c.all
}

// beginCheck begins a check: later requests wait for the next one. The caller must close own after
// checking the libraries that this process indexes, and all after those of other processes too, which
// are to be asked if askOthers is set.
func (c *checkRequests) beginCheck() (own, all chan struct{}, askOthers bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, all, askOthers = c.own, c.all, c.askOthers
	c.own, c.all, c.askOthers = make(chan struct{}), make(chan struct{}), false
	return own, all, askOthers
}

// pauseRequests makes requests be ignored for a while.
func (c *checkRequests) pauseRequests(pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.quiet = time.Now().Add(pause)
}

// RequestDamageCheck requests a check of the libraries because damage was found.
func (s *Syncer) RequestDamageCheck() { _ = s.checks.request(false) }

// CheckDamageForOtherProcess checks the libraries that this process indexes because another process has
// found damage.
func (s *Syncer) CheckDamageForOtherProcess(ctx context.Context) error {
	done := s.checks.request(true)
	if done == nil {
		return nil
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// takeSkippedDamage reports whether damaged data was found, and left out of a result, since the last call.
func (s *Syncer) takeSkippedDamage() bool {
	return slices.ContainsFunc(s.mendableLibraries(), (*live.Follower).SkippedDamageSinceLastCall)
}

// canRepair reports whether this process, or another one at its request, may repair a library in a
// database.
func (s *Syncer) canRepair() bool { return len(s.mendableLibraries()) > 0 }

// mendableLibraries returns the libraries in a database that can be repaired from here: not those whose
// files are only on other machines.
func (s *Syncer) mendableLibraries() (all []*live.Follower) {
	for i, f := range s.Folders {
		if c := s.Store.Follower(i); c != nil && f.Storage.Describe().IsShared && !f.IsRemote() {
			all = append(all, c)
		}
	}
	return all
}

const (
	// checkEvery is how often rows are counted, and everything is read if the counts have changed;
	// checkShare is the ratio of the pause after a check to its duration.
	checkEvery = 10 * time.Second
	checkShare = 300
	// checkSoon is how often to check whether folders have been compared with libraries, and
	// whether the published progress still exists.
	checkSoon = time.Second
)

// checker checks the libraries of the folders that this process indexes, as long as a server
// runs.
type checker struct {
	s *Syncer
	// asks the indexer of a folder to check for damage; it waits no longer than a query would
	ask             func(ctx context.Context, folder int)
	scheduleCompare func(folder int)       // schedules a comparison of a folder with its index
	forceRepublish  func(c *live.Follower) // makes this process publish its progress again

	told string // last logged error about tables that cannot be recreated
	vain bool   // it was logged that damage was reported and could not be found
}

// run checks the libraries of the folders that this process indexes, and asks other indexers to
// check theirs if it has found damage.
func (c *checker) run(ctx context.Context) {
	due := time.NewTimer(0)
	defer due.Stop()
	news := time.NewTicker(checkSoon)
	defer news.Stop()
	for {
		met := false
		select {
		case <-ctx.Done():
			return
		case <-news.C:
			_ = c.s.Guard.Catch("look what others are told", func() error { c.republishProgress(ctx); return nil })
			continue
		case <-c.s.checks.wanted:
			met = true
		case <-due.C:
		}
		due.Reset(c.checkAll(ctx, met))
	}
}

// checkAll performs one check, and returns how long to wait before the next.
func (c *checker) checkAll(ctx context.Context, met bool) time.Duration {
	own, all, askOthers := c.s.checks.beginCheck()
	defer close(all)
	began, found, restored, ready := time.Now(), false, false, true
	var others []int
	for i := range c.s.Folders {
		_ = c.s.Guard.Catch("compare the library with itself", func() error {
			switch {
			case c.s.mayMend(i):
				found = c.checkLibrary(ctx, i, met) || found
				return nil
			case c.s.IsIndexer(i):
				ready = false
			case askOthers && c.s.hasIndexer(ctx, i):
				others = append(others, i)
			}
			restored = c.restoreTables(ctx, i, false) || restored
			return nil
		})
	}
	took := time.Since(began)
	if met {
		c.logNothingFound(ctx, !found && !restored && len(others) == 0)
	}
	if met && !found {
		c.s.checks.pauseRequests(max(time.Second, checkShare*took))
	}
	close(own)
	for _, i := range others {
		_ = c.s.Guard.Catch("have a library compared with itself", func() error { c.askOther(ctx, i); return nil })
	}
	if !ready || restored { // restored tables may have lost rows, which can be repaired now
		return checkSoon
	}
	return max(checkEvery, checkShare*took)
}

// logNothingFound logs that damage was reported but none was found, if vain says so and the
// preceding check was not in vain as well.
func (c *checker) logNothingFound(ctx context.Context, vain bool) {
	if vain && !c.vain && ctx.Err() == nil {
		c.s.Log.Warn("damage was met, and nothing in the libraries that this process may mend is damaged: vademecum store check reads all")
	}
	c.vain = vain
}

// askOther asks the indexer of a folder to check the library for damage.
func (c *checker) askOther(ctx context.Context, folder int) {
	if c.s.Store.Follower(folder) == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	c.ask(ctx, folder)
}

// mayMend reports whether this process may remove damaged data from the library of a folder,
// because it indexes the folder and sees its files.
func (s *Syncer) mayMend(folder int) bool {
	f := s.Folders[folder]
	return s.IsIndexer(folder) && !s.isLeftToOthers(folder) && s.isConfirmed(folder, s.matchBasis(folder)) &&
		f.UnresponsiveFor() == 0 && f.IsResponding() && !s.isMissing(folder)
}

// checkLibrary checks the library of a folder, and reports whether damage was found: it counts
// rows, and reads everything if the counts differ or damage was found before.
func (c *checker) checkLibrary(ctx context.Context, folder int, met bool) (found bool) {
	f := c.s.Store.Follower(folder)
	suspected := f.SkippedDamageSinceLastCall() || met
	// mayMend is checked again, because the folder may have gone away
	done, err := f.Repair(ctx, suspected, func() bool { return c.s.mayMend(folder) })
	if err != nil {
		return c.handleCheckError(ctx, folder, err)
	}
	return c.logRemovedDamage(ctx, folder, done)
}

// handleCheckError acts on an error that prevents a check: it reopens a library that was removed,
// recreates missing tables, and logs other errors. It reports whether anything was recreated.
func (c *checker) handleCheckError(ctx context.Context, folder int, err error) bool {
	switch {
	case errors.Is(err, catalog.ErrStorageRemoved):
		_ = c.s.ReopenLibrary(ctx, folder, err) // logs the error itself
		return true
	case errors.Is(err, catalog.ErrSetupRequired):
		return c.restoreTables(ctx, folder, c.mayMendAll())
	case ctx.Err() == nil && !catalog.IsDatabaseError(err):
		c.s.Log.Warn("could not compare the library with itself", "folder", c.s.Folders[folder].Dir(), "error", err)
	}
	return false
}

// mayMendAll reports whether this process may remove damaged data from the libraries of all folders.
func (c *checker) mayMendAll() bool {
	for i := range c.s.Folders {
		if !c.s.mayMend(i) {
			return false
		}
	}
	return true
}

// logRemovedDamage logs what was removed, and schedules it to be indexed again. It reports whether
// anything was removed.
func (c *checker) logRemovedDamage(ctx context.Context, folder int, done catalog.RepairResult) bool {
	r, at := c.s, c.s.Folders[folder].Dir()
	switch {
	case done.Damage == nil:
		return false
	case done.RefusedToRemoveAll:
		r.Log.Warn("the library is damaged, and left as it is as long as the folder is not there", "folder", at, "damage", done.Damage)
		return false
	case done.RemovedAll:
		r.Log.Warn("the library is damaged, it is made again from the folder", "folder", at, "damage", done.Damage)
		_ = r.ReopenLibrary(ctx, folder, errMended) // on error, it is reopened at the next poll
	case done.RemovedVectors > 0:
		r.Log.Warn("vectors of the library are damaged, their passages are embedded again", "folder", at, "vectors", done.RemovedVectors)
		_ = r.ReopenLibrary(ctx, folder, errMended)
	default:
		r.Log.Warn("documents of the library are damaged, they are read again", "folder", at, "documents", done.RemovedDocuments, "damage", done.Damage)
		if _, err := r.Store.Follow(ctx, folder); err != nil {
			return true // followed at the next poll
		}
	}
	c.scheduleCompare(folder)
	return true
}

// republishProgress publishes the progress of this process again if it was lost, because queries in
// other processes would wait for it.
func (c *checker) republishProgress(ctx context.Context) {
	for i, f := range c.s.Folders {
		followed := c.s.Store.Follower(i)
		if followed == nil || !f.Storage.Describe().IsShared || !c.s.IsIndexer(i) {
			continue
		}
		if n, err := progress.IndexerReportOf(ctx, followed); errors.Is(err, catalog.ErrDamaged) || err == nil && n.Indexer.PID != os.Getpid() {
			c.forceRepublish(followed)
		}
	}
}

// errMended is the reason for reopening a library that this process has removed.
var errMended = errors.New("it was damaged")

// restoreTables recreates dropped tables, and reports whether there were any. It empties libraries
// for that only if empty is set.
func (c *checker) restoreTables(ctx context.Context, folder int, empty bool) bool {
	if c.s.Folders[folder].IsRemote() { // a process that sees the files restores them
		return false
	}
	made, err := c.s.Folders[folder].Storage.RestoreMissingParts(ctx, empty)
	switch {
	case err != nil:
		if told := err.Error(); ctx.Err() == nil && c.told != told && !errors.Is(err, catalog.ErrDatabaseUnreachable) {
			c.told = told
			c.s.Log.Warn("what is gone from the database cannot be made again", "error", err)
		}
	case len(made.RecreatedObjects) > 0:
		c.s.Log.Warn("what was gone from the database was made again", "damage", made.RecreatedObjects)
		if made.LostVectorRecords {
			c.reopenAll(ctx)
		}
	}
	return len(made.RecreatedObjects) > 0
}

// reopenAll reopens all libraries.
func (c *checker) reopenAll(ctx context.Context) {
	for i := range c.s.Folders {
		if c.s.Store.Follower(i) != nil {
			_ = c.s.ReopenLibrary(ctx, i, errMended)
		}
	}
}

// A database that stores the index may be unreachable, not ready for this program, or accept no
// changes for a while. A server continues automatically when that is over.

// ReopenLibrary reopens the library of a folder after it disappeared from the database: the
// database was restored, or the library was removed and perhaps recreated. Until the library exists
// again, it returns why, and retries from time to time.
func (s *Syncer) ReopenLibrary(ctx context.Context, folder int, why error) error {
	old := s.Store.Follower(folder)
	if isRecent(&old.LastReplaceAttemptNanos, reachEvery) {
		return why
	}
	if err := s.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.turn.Release(1)
	if s.Store.Follower(folder) != old { // another call was faster
		return nil
	}
	s.Fresh.Update(func(now *freshness.Snapshot) { now.SetFollowError(why) }) // reported now, because loading may take long
	old.LastReplaceAttemptNanos.Store(time.Now().UnixNano())
	c, err := s.openCatalog(ctx, folder)
	if err == nil {
		err = s.agreeOnPath(ctx, folder, c.Catalog)
	}
	if errors.Is(err, catalog.ErrLibraryNotFound) {
		return why
	}
	if err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	old.SetBeingReplaced(true)
	s.Fresh.Update(func(now *freshness.Snapshot) {
		now.ResetFolder(folder)
		now.IndexLosses++
	})
	if err := s.Store.ReplaceCatalog(ctx, folder, c.Catalog); err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	s.Embedding.Wake()
	s.Log.Warn("the library is read again", "folder", s.Folders[folder].Dir(), "reason", why)
	return s.Embedding.LogHostOnce(ctx, folder, c)
}
