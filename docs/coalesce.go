// Merging changes of many paths into reports. The code works on the paths and times it is given; it
// uses neither the file system nor the clock.

package docs

import (
	"maps"
	"slices"
	"time"
)

const (
	// quietPeriod is the time without changes after which changes are reported: a program that
	// saves a file writes, renames and touches it within a few milliseconds.
	quietPeriod = 50 * time.Millisecond
	// longestDelay is how long a change may wait for the quiet period, so that a file that is
	// written continuously is still reported.
	longestDelay = 300 * time.Millisecond
	// calmPeriod is how long a reported path must stay unchanged for its next change to count as a
	// new one: people who save twice are slower, downloads are faster.
	calmPeriod = 200 * time.Millisecond
	// maxBackoff is how often the delay doubles for a path that keeps changing: a growing file is
	// reported after 0.3 s, 0.6 s more, 1.2 s more and so on, finally every 4.8 s.
	maxBackoff = 4
	// maxPending is the number of changed paths above which it is cheaper to scan everything.
	maxPending = 10_000
)

// changedPaths collects changed paths until it is time to report them. They are reported together
// after a short while, except those that keep changing: these wait longer each time, without
// delaying others.
//
// The path "." stands for all paths. Times must be monotonic.
type changedPaths struct {
	fresh        map[string]time.Time     // paths to report, with the time of their last change
	first, last  time.Time                // the first and the last change in fresh
	unstablePath map[string]*changingPath // paths that were reported recently
	next         time.Time                // no path in unstablePath is due before; zero if none waits
	taken        time.Time                // the last time paths were taken
}

// A changingPath is a path that has been reported and may change again.
type changingPath struct {
	backoff     int       // how often its delay has doubled
	first, last time.Time // changes since the report; first is zero if there are none
}

// Add records that path has changed at the time now.
func (c *changedPaths) Add(path string, now time.Time) {
	if r := c.unstablePath[path]; r != nil {
		if now.Sub(r.last) < calmPeriod || !r.first.IsZero() {
			c.postponeChange(r, now)
			return
		}
		delete(c.unstablePath, path)
	}
	if c.fresh == nil {
		c.fresh = make(map[string]time.Time)
		c.first = now
	}
	c.last = now
	if len(c.fresh) >= maxPending {
		path = everything
	}
	if path == everything {
		clear(c.fresh)
	}
	if _, all := c.fresh[everything]; !all || path == everything {
		c.fresh[path] = now
	}
}

// postponeChange records another change of a path that keeps changing.
func (c *changedPaths) postponeChange(r *changingPath, now time.Time) {
	if r.first.IsZero() {
		r.first = now
	}
	r.last = now
	if due := r.dueTime(); c.next.IsZero() || due.Before(c.next) {
		c.next = due
	}
}

func (r *changingPath) dueTime() time.Time {
	return earlier(r.last.Add(min(quietPeriod<<r.backoff, calmPeriod)), r.first.Add(longestDelay<<r.backoff))
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// NextDue returns when to call TakeDue, and whether there is anything to take.
func (c *changedPaths) NextDue() (time.Time, bool) {
	var at time.Time
	if !c.next.IsZero() {
		at = c.next
		if soonest := c.taken.Add(quietPeriod); at.Before(soonest) {
			at = soonest // paths that keep changing are reported together, too
		}
	}
	if c.fresh != nil {
		fresh := earlier(c.last.Add(quietPeriod), c.first.Add(longestDelay))
		if at.IsZero() || fresh.Before(at) {
			at = fresh
		}
	}
	return at, !at.IsZero()
}

// TakeDue removes and returns the paths that are due at the time now, sorted. The result may be empty.
func (c *changedPaths) TakeDue(now time.Time) []string { return c.takeDue(now, false) }

// TakeAll removes and returns all paths, sorted, due or not, for a caller that needs all changes up
// to now.
func (c *changedPaths) TakeAll(now time.Time) []string { return c.takeDue(now, true) }

func (c *changedPaths) takeDue(now time.Time, all bool) []string {
	c.taken, c.next = now, time.Time{}
	var paths []string
	for path, r := range c.unstablePath {
		switch {
		case r.first.IsZero():
			if now.Sub(r.last) >= calmPeriod {
				delete(c.unstablePath, path)
			}
		case !all && r.dueTime().After(now):
			if c.next.IsZero() || r.dueTime().Before(c.next) {
				c.next = r.dueTime()
			}
		default:
			paths = append(paths, path)
			r.backoff, r.first = min(r.backoff+1, maxBackoff), time.Time{}
		}
	}
	if c.fresh != nil && (all || !earlier(c.last.Add(quietPeriod), c.first.Add(longestDelay)).After(now)) {
		paths = slices.AppendSeq(paths, maps.Keys(c.fresh))
		c.rememberReported()
		c.fresh = nil
	}
	slices.Sort(paths)
	if slices.Contains(paths, everything) {
		return []string{everything}
	}
	return paths
}

// rememberReported remembers the paths that are about to be reported, to notice those that keep
// changing.
func (c *changedPaths) rememberReported() {
	if c.unstablePath == nil {
		c.unstablePath = make(map[string]*changingPath)
	}
	for path, last := range c.fresh {
		if len(c.unstablePath) < maxPending {
			c.unstablePath[path] = &changingPath{backoff: 1, last: last}
		}
	}
}
