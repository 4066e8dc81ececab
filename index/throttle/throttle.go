// Package throttle limits how often files are read that take long to read and change
// again and again, as a log does that grows.
package throttle

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"vademecum/index/search"
)

// RereadBackoff limits readings: files are read at growing intervals. The time of each call
// is given, for the sake of tests. Its methods may be called from several goroutines at
// once.
type RereadBackoff struct {
	mu    sync.Mutex
	files map[search.Location]*fileState
}

type fileState struct {
	cost    time.Duration // of the last reading
	reads   int           // without a rest between them
	read    time.Time     // when it was read last
	waiting bool          // it has changed since, as far as that was seen
	late    bool          // what it was changed to cannot be found yet
}

const (
	// Costly is how long the reading of a file takes at least for it to be put off.
	Costly = 50 * time.Millisecond
	// prompt is how many readings without a rest between them are done at once: of
	// what is new, and of a change.
	prompt = 2
	// restDoublings is how often the pause doubles: in the end a file is read for
	// a sixty-fourth of the time.
	restDoublings = 6
	longestRest   = 5 * time.Minute
)

// New makes a RereadBackoff that knows of no file.
func New() *RereadBackoff { return &RereadBackoff{files: make(map[search.Location]*fileState)} }

// pause is how long the file is not read after a reading.
func (f *fileState) pause() time.Duration {
	if f.reads <= prompt {
		return 0
	}
	return f.interval()
}

func (f *fileState) interval() time.Duration {
	return min(f.cost<<min(max(1, f.reads-prompt), restDoublings), longestRest)
}

// hasRested reports whether the file was not read for so long that it cannot have
// changed all the time.
func (f *fileState) hasRested(now time.Time) bool { return now.Sub(f.read) > 2*f.interval() }

// RecordRead notes that a document was read because its file had changed, and what that
// took. A file that has rested for two pauses begins anew.
func (t *RereadBackoff) RecordRead(at search.Location, cost time.Duration, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cost < Costly {
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

// Forget is for files that are gone.
func (t *RereadBackoff) Forget(at search.Location) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.files, at)
}

// IsHeldBack reports whether a file takes long to read and has not rested yet.
func (t *RereadBackoff) IsHeldBack(at search.Location, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[at]
	return f != nil && f.reads > prompt && !f.hasRested(now)
}

// PutOffIfTooSoon reports whether a file that may have changed is not to be read yet. same
// says that it looks as it was read.
func (t *RereadBackoff) PutOffIfTooSoon(at search.Location, looksSame bool, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[at]
	if f == nil {
		return false
	}
	f.waiting, f.late = now.Sub(f.read) < f.pause(), !looksSame
	return f.waiting
}

// RecordCurrent notes that what was read of a file is what it holds.
func (t *RereadBackoff) RecordCurrent(at search.Location) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.files[at]; f != nil {
		f.waiting, f.late = false, false
	}
}

// LateFiles lists the files of which something cannot be found yet, in order.
func (t *RereadBackoff) LateFiles(now time.Time) []search.Location {
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

// RecordChangedDuringRead notes that a file has changed while it was read.
func (t *RereadBackoff) RecordChangedDuringRead(at search.Location) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if f := t.files[at]; f != nil {
		f.waiting, f.late = true, true
	}
}

// TakeDue lists the files that were put off and are to be read now.
func (t *RereadBackoff) TakeDue(now time.Time) []search.Location {
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

// ReadInterval is how often a file is read that is read at intervals, 0 when it rests.
func (t *RereadBackoff) ReadInterval(at search.Location, now time.Time) time.Duration {
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
