package sync

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/store/catalog"
)

// A database can be changed by other programs: rows may be lost that no query needs directly. So
// the process that indexes counts the rows from time to time. Everything is read if the counts have
// changed, or if a process has found damage. Damaged data is removed only if the folder has been
// seen to have the files of the library, so that they are indexed again: otherwise a wrong folder
// could replace the library.

// checkRequest asks the checker for a check of the libraries, because damage was found.
type checkRequest struct {
	// Another process has found it, so only the libraries that this process indexes are checked: if that
	// process waited for others, they might wait for each other.
	isForAnother bool
	done         chan bool // receives true after the check, or false if a recent one found nothing
}

// RequestDamageCheck requests a check of the libraries because damage was found.
func (s *Syncer) RequestDamageCheck() {
	select {
	case s.checks <- checkRequest{done: make(chan bool, 1)}:
	default: // enough are waiting
	}
}

// awaitCheck requests a check of the libraries, and reports whether it was done before ctx ended.
func (s *Syncer) awaitCheck(ctx context.Context, isForAnother bool) (isDone bool) {
	r := checkRequest{isForAnother, make(chan bool, 1)}
	select {
	case s.checks <- r:
	case <-ctx.Done():
		return false
	}
	select {
	case isDone = <-r.done:
	case <-ctx.Done():
	}
	return isDone
}

// CheckDamageForOtherProcess checks the libraries that this process indexes because another process has
// found damage.
func (s *Syncer) CheckDamageForOtherProcess(ctx context.Context) error {
	s.awaitCheck(ctx, true)
	return ctx.Err()
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
	scheduleCompare func(folder int)                            // schedules a comparison of a folder with its index
	reportLost      func(ctx context.Context, c *live.Follower) // makes this process publish its progress again

	quiet time.Time // requests are refused until this time, because the last check found nothing
	told  string    // last logged error about tables that cannot be recreated
	vain  bool      // it was logged that damage was reported and could not be found
}

// run checks the libraries of the folders that this process indexes, and asks other indexers to
// check theirs if it has found damage.
func (c *checker) run(ctx context.Context) {
	due := time.NewTimer(0)
	defer due.Stop()
	news := time.NewTicker(checkSoon)
	defer news.Stop()
	for {
		var requests []checkRequest
		select {
		case <-ctx.Done():
			return
		case <-news.C:
			_ = c.s.Guard.Catch("look what others are told", func() error { c.republishProgress(ctx); return nil })
			continue
		case r := <-c.s.checks:
			if requests = c.accept(r); len(requests) == 0 {
				continue
			}
		case <-due.C:
			requests = c.accept()
		}
		due.Reset(c.checkAll(ctx, requests))
	}
}

// accept returns the given requests, and those that are waiting, for the next check. It refuses them if
// the last check has just found nothing.
func (c *checker) accept(requests ...checkRequest) []checkRequest {
	for len(c.s.checks) > 0 {
		requests = append(requests, <-c.s.checks)
	}
	if time.Now().Before(c.quiet) {
		for _, r := range requests {
			r.done <- false
		}
		return nil
	}
	return requests
}

// checkAll performs one check, for the given requests or because it is due, and returns how long to wait
// before the next.
func (c *checker) checkAll(ctx context.Context, requests []checkRequest) time.Duration {
	answer := func(isForAnother bool) {
		for _, r := range requests {
			if r.isForAnother == isForAnother {
				r.done <- true
			}
		}
	}
	defer answer(false)
	met, askOthers := len(requests) > 0, slices.ContainsFunc(requests, func(r checkRequest) bool { return !r.isForAnother })
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
		c.quiet = time.Now().Add(max(time.Second, checkShare*took))
	}
	answer(true)
	for _, i := range others {
		_ = c.s.Guard.Catch("have a library compared with itself", func() error { c.askOther(ctx, i); return nil })
	}
	if !ready || restored { // restored tables may have lost rows, which can be repaired now
		return checkSoon
	}
	return max(checkEvery, checkShare*took)
}

// logNothingFound logs that damage was reported but a check found none. vain says that this is so; after such
// a check, further ones are not logged until a check had another outcome.
func (c *checker) logNothingFound(ctx context.Context, vain bool) {
	if vain && !c.vain && ctx.Err() == nil {
		c.s.log.Warn("damage was met, and nothing in the libraries that this process may mend is damaged: vademecum store check reads all")
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
	case ctx.Err() == nil && !catalog.IsDatabaseUnusable(err):
		c.s.log.Warn("could not compare the library with itself", "folder", c.s.Folders[folder].Dir(), "error", err)
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
		r.log.Warn("the library is damaged, and left as it is as long as the folder is not there", "folder", at, "damage", done.Damage)
		return false
	case done.RemovedAll:
		r.log.Warn("the library is damaged, it is made again from the folder", "folder", at, "damage", done.Damage)
		_ = r.ReopenLibrary(ctx, folder, errMended) // on error, it is reopened at the next poll
	case done.RemovedVectors > 0:
		r.log.Warn("vectors of the library are damaged, their passages are embedded again", "folder", at, "vectors", done.RemovedVectors)
		_ = r.ReopenLibrary(ctx, folder, errMended)
	default:
		r.log.Warn("documents of the library are damaged, they are read again", "folder", at, "documents", done.RemovedDocuments, "damage", done.Damage)
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
			c.reportLost(ctx, followed)
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
			c.s.log.Warn("what is gone from the database cannot be made again", "error", err)
		}
	case len(made.RecreatedObjects) > 0:
		c.s.log.Warn("what was gone from the database was made again", "damage", made.RecreatedObjects)
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

// newChecker returns a checker that verifies the content of libraries.
func (l *maintenanceLoop) newChecker() *checker {
	return &checker{
		s: l.s,
		ask: func(ctx context.Context, folder int) {
			// If this fails, a caller that meets the damage requests it again.
			_, _ = l.s.requestSync(ctx, syncRequest{Folder: folder, ChecksForDamageOnly: true})
		},
		scheduleCompare: func(folder int) { l.dirty.addAreas(Subtree{Folder: folder, Base: "."}) },
		reportLost: func(ctx context.Context, c *live.Follower) {
			select {
			case l.lostReports <- c:
			case <-ctx.Done():
			}
		},
	}
}
