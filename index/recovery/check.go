package recovery

import (
	"context"
	"slices"
	"sync"
	"time"

	"vademecum/index/catalog"
)

// A database can be changed by others than this program: rows may be lost that no
// question asks for by themselves. So the process that indexes counts them from time to
// time. All is read when the numbers have changed, or when somebody has met damage. What is
// damaged is removed only where the folder was seen to have the files of the library, so
// that they are indexed again: anything else would make a wrong folder the library.

// checkRequests is when what a database keeps is compared with itself.
type checkRequests struct {
	wanted chan struct{} // holds a token when somebody has met damage

	mu        sync.Mutex
	own, all  chan struct{} // closed when the next has ended, of what this process indexes, and of all
	askOthers bool          // this process has met damage itself
	quiet     time.Time     // until when none is taken that is asked for: the last has found nothing
}

func newCheckRequests() *checkRequests {
	return &checkRequests{wanted: make(chan struct{}, 1), own: make(chan struct{}), all: make(chan struct{})}
}

// request has all be compared, and returns a channel that is closed when that is done; nil
// where it was in vain a moment ago. A question asked for another process is not to wait for
// others: they may wait for this one.
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

// beginCheck is called when a comparison begins: a caller for one from then on waits for the
// next. The channels are to be closed.
func (c *checkRequests) beginCheck() (own, all chan struct{}, askOthers bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, all, askOthers = c.own, c.all, c.askOthers
	c.own, c.all, c.askOthers = make(chan struct{}), make(chan struct{}), false
	return own, all, askOthers
}

// pauseRequests has none be taken for a while that is asked for.
func (c *checkRequests) pauseRequests(pause time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.quiet = time.Now().Add(pause)
}

// RequestCheck has libraries be compared with themselves, as damage was met.
func (r *Recovery) RequestCheck() { _ = r.checks.request(false) }

// CheckForOther compares libraries with themselves as another process has met damage.
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

// takeSkippedDamage reports whether something damaged was met and passed over.
func (r *Recovery) takeSkippedDamage() bool {
	return slices.ContainsFunc(r.mendableLibraries(), catalog.Health.TakeSkippedDamage)
}

// IsMendable reports whether a library in a database may be mended by this process, or by
// another that it asks.
func (r *Recovery) IsMendable() bool { return len(r.mendableLibraries()) > 0 }

// mendableLibraries are the libraries in a database whose files are not for other machines only.
func (r *Recovery) mendableLibraries() (all []catalog.Health) {
	for i, f := range r.Folders {
		if c := r.Store.Follower(i); c != nil && f.Storage.IsShared() && !f.IsRemote() {
			all = append(all, c.Health())
		}
	}
	return all
}
