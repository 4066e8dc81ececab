package sync

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"vademecum/index/search"
)

// rereadBackoff limits how often a file that changes all the time is read, to growing intervals. Its methods
// get the current time as an argument, for tests. It has a lock because those who read files record that in
// it, and runs and answers look files up in it.
type rereadBackoff struct {
	mu    sync.Mutex
	files map[search.Location]*fileState
}

type fileState struct {
	cost    time.Duration // duration of the last reading
	reads   int           // number of readings without a rest in between
	read    time.Time     // time of the last reading
	waiting bool          // the file is known to have changed since then
	late    bool          // the current content of the file is not searchable yet
}

const (
	// minThrottledReadTime is the minimum reading time of a file whose reading may be put off.
	minThrottledReadTime = 50 * time.Millisecond
	// prompt is the number of readings without a rest in between that are not delayed: that of a new
	// file, and that of a change.
	prompt = 2
	// restDoublings is how often the pause doubles: in the end, a file is being read for one
	// sixty-fourth of the time.
	restDoublings = 6
	longestRest   = 5 * time.Minute
)

// newRereadBackoff returns an empty rereadBackoff.
func newRereadBackoff() *rereadBackoff {
	return &rereadBackoff{files: make(map[search.Location]*fileState)}
}

// pause returns how long after a reading the file is not read again.
func (f *fileState) pause() time.Duration {
	if f.reads <= prompt {
		return 0
	}
	return f.interval()
}

func (f *fileState) interval() time.Duration {
	return min(f.cost<<min(max(1, f.reads-prompt), restDoublings), longestRest)
}

// hasRested reports whether the file has not been read for so long that it cannot have been
// changing constantly.
func (f *fileState) hasRested(now time.Time) bool { return now.Sub(f.read) > 2*f.interval() }

// RecordRead records that a document was read because its file had changed, and how long that took.
// A file that has rested for two pauses starts over.
func (t *rereadBackoff) RecordRead(at search.Location, cost time.Duration, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cost < minThrottledReadTime {
		delete(t.files, at)
		return
	}
	f := t.files[at]
	if f == nil || f.hasRested(now.Add(-cost)) {
		f = &fileState{}
		t.files[at] = f
	}
	f.cost, f.read, f.late = min(cost, longestRest), now, false
	f.reads++
}

// forget removes a file that no longer exists.
func (t *rereadBackoff) forget(at search.Location) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.files, at)
}

// isThrottled reports whether a file that takes long to read was read too recently to be read again now.
func (t *rereadBackoff) isThrottled(at search.Location, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[at]
	return f != nil && f.reads > prompt && !f.hasRested(now)
}

// deferIfTooSoon reports whether a file that may have changed should not be read yet. looksSame
// means that it appears unchanged since it was read.
func (t *rereadBackoff) deferIfTooSoon(at search.Location, looksSame bool, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[at]
	if f == nil {
		return false
	}
	f.waiting, f.late = now.Sub(f.read) < f.pause(), !looksSame
	return f.waiting
}

// recordUpToDate records that a file has not changed since it was last read.
func (t *rereadBackoff) recordUpToDate(at search.Location) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.files[at]; f != nil {
		f.waiting, f.late = false, false
	}
}

// ThrottledFiles lists the files whose current content is not searchable yet, in order.
func (t *rereadBackoff) ThrottledFiles(now time.Time) []search.Location {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []search.Location
	for at, f := range t.files {
		if f.late && !f.hasRested(now) {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, compareLocations)
	return all
}

// recordChangedDuringRead records that a file changed while it was read.
func (t *rereadBackoff) recordChangedDuringRead(at search.Location) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.files[at]; f != nil {
		f.waiting, f.late = true, true
	}
}

// TakeDue returns the files that were put off and should be read now.
func (t *rereadBackoff) TakeDue(now time.Time) []search.Location {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []search.Location
	for at, f := range t.files {
		if f.waiting && now.Sub(f.read) >= f.pause() {
			f.waiting = false
			all = append(all, at)
		}
	}
	return all
}

// ReadInterval returns how often a file is read if it is read at intervals; 0 otherwise.
func (t *rereadBackoff) ReadInterval(at search.Location, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[at]
	if f == nil || f.reads <= prompt || f.hasRested(now) {
		return 0
	}
	return max(time.Second, f.pause().Round(time.Second))
}

func compareLocations(a, b search.Location) int {
	return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Path, b.Path))
}
