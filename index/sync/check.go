package sync

import (
	"context"
	"slices"
	"sync"
	"time"

	"vademecum/index/catalog"
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
	// closed at the end of the next check: own after the libraries that this process indexes, all
	// after all of them
	own, all  chan struct{}
	askOthers bool // this process has found damage itself
	// requests are ignored until this time, because the last check found nothing
	quiet time.Time
}

func newCheckRequests() *checkRequests {
	return &checkRequests{wanted: make(chan struct{}, 1), own: make(chan struct{}), all: make(chan struct{})}
}

// request requests a check of everything, and returns a channel that is closed when the check is
// done; nil if a recent check found nothing. A request for another process must not wait for other
// processes, because they may be waiting for this one.
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

// beginCheck is called when a check begins: later requests wait for the next one. The caller must
// close the channels.
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

// RequestCheck requests a check of the libraries because damage was found.
func (s *Syncer) RequestCheck() { _ = s.checks.request(false) }

// CheckForOther checks the libraries because another process has found damage.
func (s *Syncer) CheckForOther(ctx context.Context) error {
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

// takeSkippedDamage reports whether damage was found and skipped since the last call.
func (s *Syncer) takeSkippedDamage() bool {
	return slices.ContainsFunc(s.mendableLibraries(), catalog.Health.SkippedDamageSinceLastCall)
}

// CanRepair reports whether this process, or another one at its request, may repair a library in a
// database.
func (s *Syncer) CanRepair() bool { return len(s.mendableLibraries()) > 0 }

// mendableLibraries returns the libraries in a database, except those whose files are only on other
// machines.
func (s *Syncer) mendableLibraries() (all []catalog.Health) {
	for i, f := range s.Folders {
		if c := s.Store.Follower(i); c != nil && f.Storage.IsShared() && !f.IsRemote() {
			all = append(all, c.Health())
		}
	}
	return all
}
