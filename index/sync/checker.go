package sync

import (
	"context"
	"errors"
	"os"
	"slices"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/live"
	"vademecum/index/progress"
)

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
	vain bool   // it has been logged that no damage was found
}

// Run checks the libraries of the folders that this process indexes, and asks other indexers to
// check theirs if it has found damage.
func (c *checker) Run(ctx context.Context) {
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
			case askOthers && c.s.HasIndexer(ctx, i):
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

// logNothingFound logs once that damage was reported but cannot be found.
func (c *checker) logNothingFound(ctx context.Context, vain bool) {
	if vain && !c.vain && ctx.Err() == nil {
		c.s.Log.Warn("damage was met, and nothing in the libraries that this process may mend is damaged: vademecum store check reads all")
	}
	c.vain = vain
}

// askOther asks the indexer of a folder to check for damage.
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
	return s.IsIndexer(folder) && !s.Fresh.IsLeftToOthers(folder) && s.IsConfirmed(folder) &&
		f.UnresponsiveFor() == 0 && f.Responds() && !s.Fresh.IsMissing(folder)
}

// checkLibrary checks the library of a folder, and reports whether damage was found: it counts
// rows, and reads everything if the counts differ or damage was found before.
func (c *checker) checkLibrary(ctx context.Context, folder int, met bool) (found bool) {
	r := c.s
	m := r.Store.Follower(folder).Health()
	if !met && !m.SkippedDamageSinceLastCall() {
		err := m.VerifyCounts(ctx)
		switch {
		case err == nil:
			return false
		case !errors.Is(err, catalog.ErrDamaged):
			return c.handleCheckError(ctx, folder, err)
		}
	}
	// mayMend is checked again, because the folder may have gone away
	done, err := m.Repair(ctx, r.mayMend(folder))
	if err != nil {
		return c.handleCheckError(ctx, folder, err)
	}
	return c.logRemovedDamage(ctx, folder, done)
}

// handleCheckError handles an error that prevents a check, and reports whether anything was
// recreated.
func (c *checker) handleCheckError(ctx context.Context, folder int, err error) bool {
	switch {
	case errors.Is(err, catalog.ErrSourceRemoved):
		_ = c.s.ReopenLibrary(ctx, folder, err) // logs the error itself
		return true
	case errors.Is(err, catalog.ErrSetupRequired):
		return c.restoreTables(ctx, folder, c.mayMendAll())
	case ctx.Err() == nil && !catalog.IsDatabaseError(err):
		c.s.Log.Warn("could not compare the library with itself", "folder", c.s.Folders[folder].Dir(), "error", err)
	}
	return false
}

// mayMendAll reports whether mayMend holds for all folders.
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
	case done.Vectors > 0:
		r.Log.Warn("vectors of the library are damaged, their passages are embedded again", "folder", at, "vectors", done.Vectors)
		_ = r.ReopenLibrary(ctx, folder, errMended)
	default:
		r.Log.Warn("documents of the library are damaged, they are read again", "folder", at, "documents", done.Documents, "damage", done.Damage)
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
		if followed == nil || !f.Storage.IsShared() || !c.s.IsIndexer(i) {
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
	made, err := c.s.Folders[folder].Storage.Restore(ctx, empty)
	switch {
	case err != nil:
		if told := err.Error(); ctx.Err() == nil && c.told != told && !errors.Is(err, catalog.ErrUnreachable) {
			c.told = told
			c.s.Log.Warn("what is gone from the database cannot be made again", "error", err)
		}
	case len(made) > 0:
		c.s.Log.Warn("what was gone from the database was made again", "damage", made)
		if slices.ContainsFunc(made, func(part string) bool { return slices.Contains(ofVectors, part) }) {
			c.reopenAll(ctx)
		}
	}
	return len(made) > 0
}

// ofVectors lists the tables without which it is unknown which passages are embedded.
var ofVectors = []string{"table models", "table vectors", "table refusals"}

// reopenAll reopens all libraries.
func (c *checker) reopenAll(ctx context.Context) {
	for i := range c.s.Folders {
		if c.s.Store.Follower(i) != nil {
			_ = c.s.ReopenLibrary(ctx, i, errMended)
		}
	}
}
