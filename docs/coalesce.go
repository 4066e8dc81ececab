package docs

import (
	"maps"
	"slices"
	"time"
)

const (
	// quietPeriod is how long nothing may happen before changes are reported:
	// a program that saves a file writes, renames and touches it within a few
	// milliseconds.
	quietPeriod = 50 * time.Millisecond
	// longestDelay is how long a change may wait for the quiet period, so that
	// a file that is written without pause is still seen.
	longestDelay = 300 * time.Millisecond
	// maxPending is the number of changed paths above which it is cheaper to
	// look at everything.
	maxPending = 10_000
)

// everything is the path that stands for the whole folder.
const everything = "."

// A coalescer collects changed paths until it is time to report them.
type coalescer struct {
	paths       map[string]bool
	first, last time.Time // of the changes collected
}

// add records that path has changed at the time now.
func (c *coalescer) add(path string, now time.Time) {
	if c.paths == nil {
		c.paths = make(map[string]bool)
		c.first = now
	}
	c.last = now
	if len(c.paths) >= maxPending {
		path = everything
	}
	if path == everything {
		clear(c.paths)
	}
	if !c.paths[everything] {
		c.paths[path] = true
	}
}

// due returns when the changes are to be reported, and whether there are any.
func (c *coalescer) due() (time.Time, bool) {
	if c.paths == nil {
		return time.Time{}, false
	}
	quiet, latest := c.last.Add(quietPeriod), c.first.Add(longestDelay)
	if latest.Before(quiet) {
		return latest, true
	}
	return quiet, true
}

// take returns the changed paths, sorted, and forgets them.
func (c *coalescer) take() []string {
	paths := slices.Sorted(maps.Keys(c.paths))
	c.paths = nil
	return paths
}
