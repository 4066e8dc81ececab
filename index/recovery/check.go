package recovery

import (
	"context"
	"slices"
	"sync"
	"time"

	"vademecum/index/catalog"
)

// A database can be changed by others than this program: rows may be lost that no question needs
// by themselves. So the process that indexes counts them from time to time. Everything is read
// when the numbers have changed, or when a process has met damage. Damaged data is removed only
// if the folder was seen to have the files of the library, so that they are indexed again:
// otherwise a wrong folder could replace the library.

// checkRequests controls when the content of a database is checked.
type checkRequests struct {
	wanted chan struct{} // holds a token when a process has met damage

	mu        sync.Mutex
	own, all  chan struct{} // closed at the end of the next check: of what this process indexes, and of all
	askOthers bool          // this process has met damage itself
	quiet     time.Time     // requests are ignored until then: the last check has found nothing
}

func newCheckRequests() *checkRequests {
	return &checkRequests{wanted: make(chan struct{}, 1), own: make(chan struct{}), all: make(chan struct{})}
}

// request requests a check of everything, and returns a channel that is closed when it is done;
// nil if a check a moment ago found nothing. A question from another process must not wait for
// others: they may be waiting for this one.
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

// beginCheck is called when a check begins: later requests wait for the next one. The caller
// closes the channels.
func (c *checkRequests) beginCheck() (own, all chan struct{}, askOthers bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, all, askOthers = c.own, c.all, c.askOthers
	c.own, c.all, c.askOthers = make(chan struct{}), make(chan struct{}), false
	return own, all, askOthers
}

// pauseRequests ignores requests for a while.
func (c *checkRequests) pauseRequests(pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.quiet = time.Now().Add(pause)
}

// RequestCheck requests a check of libraries because damage was met.
func (r *Recovery) RequestCheck() { _ = r.checks.request(false) }

// CheckForOther checks libraries because another process has met damage.
func (r *Recovery) CheckForOther(ctx context.Context) error {
	done := r.checks.request(true)
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

// takeSkippedDamage reports whether damage was met and skipped.
func (r *Recovery) takeSkippedDamage() bool {
	return slices.ContainsFunc(r.mendableLibraries(), catalog.Health.TakeSkippedDamage)
}

// IsMendable reports whether this process, or another one at its request, may mend a library in a
// database.
func (r *Recovery) IsMendable() bool { return len(r.mendableLibraries()) > 0 }

// mendableLibraries returns the libraries in a database whose files are not only on other
// machines.
func (r *Recovery) mendableLibraries() (all []catalog.Health) {
	for i, f := range r.Folders {
		if c := r.Store.Follower(i); c != nil && f.Storage.IsShared() && !f.IsRemote() {
			all = append(all, c.Health())
		}
	}
	return all
}
