package upkeep

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"vademecum/index/search"
)

// restless are the files that take long to read and change again and again, as a
// log does that grows. They are read at growing intervals, apart from the runs.
// The time of each call is given, for the sake of tests.
type restless struct {
	mu    sync.Mutex
	files map[search.Location]*restlessFile
}

type restlessFile struct {
	cost    time.Duration // of the last reading
	reads   int           // without a rest between them
	read    time.Time     // when it was read last
	waiting bool          // it has changed since, as far as that was seen
	late    bool          // what it was changed to cannot be found yet
}

const (
	// costly is how long the reading of a file takes at least for it to be put off.
	costly = 50 * time.Millisecond
	// prompt is how many readings without a rest between them are done at once: of
	// what is new, and of a change.
	prompt = 2
	// restDoublings is how often the pause doubles: in the end a file is read for
	// a sixty-fourth of the time.
	restDoublings = 6
	longestRest   = 5 * time.Minute
)

func newRestless() *restless { return &restless{files: make(map[search.Location]*restlessFile)} }

// pause is how long the file is not read after a reading.
func (f *restlessFile) pause() time.Duration {
	if f.reads <= prompt {
		return 0
	}
	return f.interval()
}

func (f *restlessFile) interval() time.Duration {
	return min(f.cost<<min(max(1, f.reads-prompt), restDoublings), longestRest)
}

// rested tells whether the file was not read for so long that it cannot have
// changed all the time.
func (f *restlessFile) rested(now time.Time) bool { return now.Sub(f.read) > 2*f.interval() }

// note tells that a document was read because its file had changed, and what that
// took. A file that has rested for two pauses begins anew.
func (rs *restless) note(at search.Location, cost time.Duration, now time.Time) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if cost < costly {
		delete(rs.files, at)
		return
	}
	f := rs.files[at]
	if f == nil || f.rested(now.Add(-cost)) {
		f = &restlessFile{}
		rs.files[at] = f
	}
	f.cost, f.read, f.late = min(cost, longestRest), now, false
	f.reads++
}

// forget is for files that are gone.
func (rs *restless) forget(at search.Location) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	delete(rs.files, at)
}

// holds tells whether a file takes long to read and has not rested yet.
func (rs *restless) holds(at search.Location, now time.Time) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	f := rs.files[at]
	return f != nil && f.reads > prompt && !f.rested(now)
}

// putOff tells whether a file that may have changed is not to be read yet. same
// says that it looks as it was read.
func (rs *restless) putOff(at search.Location, same bool, now time.Time) bool {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	f := rs.files[at]
	if f == nil {
		return false
	}
	f.waiting, f.late = now.Sub(f.read) < f.pause(), !same
	return f.waiting
}

// settle notes that what was read of a file is what it holds.
func (rs *restless) settle(at search.Location) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if f := rs.files[at]; f != nil {
		f.waiting, f.late = false, false
	}
}

// late lists the files of which something cannot be found yet, in order.
func (rs *restless) late(now time.Time) []search.Location {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var all []search.Location
	for at, f := range rs.files {
		if f.late && !f.rested(now) {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, compareLocations)
	return all
}

// await notes that a file has changed while it was read.
func (rs *restless) await(at search.Location) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if f := rs.files[at]; f != nil {
		f.waiting, f.late = true, true
	}
}

// due lists the files that were put off and are to be read now.
func (rs *restless) due(now time.Time) []search.Location {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var all []search.Location
	for at, f := range rs.files {
		if f.waiting && now.Sub(f.read) >= f.pause() {
			f.waiting = false
			all = append(all, at)
		}
	}
	return all
}

// every is how often a file is read that is read at intervals, 0 when it rests.
func (rs *restless) every(at search.Location, now time.Time) time.Duration {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	f := rs.files[at]
	if f == nil || f.reads <= prompt || f.rested(now) {
		return 0
	}
	return max(time.Second, f.pause().Round(time.Second))
}

func compareLocations(a, b search.Location) int {
	return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Path, b.Path))
}

// Every is how often the file at a place is read, as it changes all the time; 0:
// when it changes.
func (k *Keeper) Every(at search.Location) time.Duration { return k.restless.every(at, time.Now()) }

// Late lists the files that have changed and are not read yet, as they change all
// the time.
func (k *Keeper) Late() []search.Location { return k.restless.late(time.Now()) }
