package sync

import (
	"context"
	"errors"
	"fmt"
	"time"
	"vademecum/index/freshness"
	"vademecum/index/store/catalog"
)

// A database that stores the index may be unreachable, not ready for this program, or reject
// changes for a while. A server continues by itself when that is over.

// databaseState is the state of the database as last logged.
type databaseState string

const (
	isWell    databaseState = ""
	isAway    databaseState = "away"
	isRefused databaseState = "refused"
)

// wellFor is how long the database must be well before recovery is logged: a connection pooler may
// still have broken sessions for a moment.
const wellFor = time.Second

// logSlowness logs once when the database becomes slow, and once when it is fast again.
func (l *maintenanceLoop) logSlowness() {
	slow := l.s.State().DatabaseLatency
	if (slow > 0) == l.slow {
		return
	}
	if l.slow = slow > 0; l.slow {
		l.s.log.Warn("the database answers slowly: a question needs some ten statements", "each", slow.Round(time.Millisecond))
	} else {
		l.s.log.Warn("the database answers quickly again")
	}
}

// goneFor is how long a library must be gone before that is logged: another process that sees its
// files may have removed it because it was damaged, and will recreate it at once.
const goneFor = 3 * time.Second

// isGoneBriefly reports whether fault means that the library disappeared, and did so less than goneFor ago.
func (l *maintenanceLoop) isGoneBriefly(fault error) bool {
	if !errors.Is(fault, catalog.ErrStorageRemoved) {
		l.goneSince = time.Time{}
		return false
	}
	if l.goneSince.IsZero() {
		l.goneSince = time.Now()
	}
	return time.Since(l.goneSince) < goneFor
}

// logDatabaseState logs once when a problem with the database begins, and once when it ends. fault
// is the reason why this process cannot follow others; nil if it can.
func (l *maintenanceLoop) logDatabaseState(fault error) {
	l.logSlowness()
	now, refused := isWell, l.s.State().WriteRefusal
	switch briefly := l.isGoneBriefly(fault); {
	case briefly:
		return
	case errors.Is(fault, catalog.ErrDatabaseUnreachable), errors.Is(fault, catalog.ErrSetupRequired):
		now = isAway
	case refused != "":
		now = isRefused
	}
	if now != isWell || l.trouble == isWell {
		l.wellSince = time.Time{}
	} else if l.wellSince.IsZero() {
		l.wellSince = time.Now()
	}
	switch before := l.trouble; {
	case now == before, now == isWell && time.Since(l.wellSince) < wellFor:
		return
	case now == isAway:
		l.s.log.Warn("the database does not serve: questions fail until it does", "error", fault)
	case now == isRefused:
		l.s.log.Warn("the database accepts no changes: what is saved meanwhile is indexed when it does", "reason", refused)
	case before == isAway:
		l.s.log.Warn("the database serves again")
	default:
		l.s.log.Warn("the database takes changes again")
	}
	l.trouble = now
}

// ReopenLibrary reopens the library of a folder after it disappeared from the database: the
// database was restored, or the library was removed and perhaps recreated. Until the library exists
// again, it returns why, and retries from time to time.
func (s *Syncer) ReopenLibrary(ctx context.Context, folder int, why error) error {
	old := s.Store.Follower(folder)
	if s.hasTriedReplacing(folder, reachEvery) {
		return why
	}
	if err := s.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.turn.Release(1)
	if s.Store.Follower(folder) != old { // another call was faster
		return nil
	}
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.SetFollowError(why) }) // reported now, because loading may take long
	s.recordReplaceAttempt(folder, time.Now())
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
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) {
		now.ResetFolder(folder)
		now.IndexLosses++
	})
	if err := s.Store.ReplaceCatalog(ctx, folder, c.Catalog); err != nil {
		return fmt.Errorf("%w: %w", why, err)
	}
	s.recordReplaceAttempt(folder, time.Time{})
	s.Embedding.Wake()
	s.log.Warn("the library is read again", "folder", s.Folders[folder].Dir(), "reason", why)
	return s.Embedding.LogHostOnce(ctx, folder, c)
}
