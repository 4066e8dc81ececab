package engine

import (
	"context"
	"maps"
	"path"
	"sync"

	"vademecum/docs"
	"vademecum/index/compare"
)

// dirtySet collects the areas of folders that must be compared with the index, and wakes those
// who wait for that comparison. Its methods may be called from several goroutines at once.
type dirtySet struct {
	signal chan struct{} // holds a token when there may be areas to take

	mu       sync.Mutex
	areas    map[compare.Area]bool
	listings map[int]docs.Listing // by folder number; they spare the scan of folders that are dirty as a whole
	added    int                  // how often areas were added
	compared int                  // number of additions that were followed by a comparison
	failed   bool                 // the last comparison did not complete
	step     chan struct{}        // closed and replaced when compared grows
}

func newDirtySet() *dirtySet {
	return &dirtySet{
		signal:   make(chan struct{}, 1),
		areas:    make(map[compare.Area]bool),
		listings: make(map[int]docs.Listing),
		step:     make(chan struct{}),
	}
}

// addAreas adds areas to be compared.
func (s *dirtySet) addAreas(areas ...compare.Area) {
	s.addWithoutWaking(areas)
	s.wake()
}

// addWithoutWaking adds areas without waking the consumer.
func (s *dirtySet) addWithoutWaking(areas []compare.Area) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range areas {
		s.areas[a] = true
	}
	s.added++
}

func (s *dirtySet) wake() {
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

// addListed adds a whole folder, with a listing of it if there is one.
func (s *dirtySet) addListed(folder int, found docs.Listing) {
	if !found.Began.IsZero() {
		s.mu.Lock()
		s.listings[folder] = found
		s.mu.Unlock()
	}
	s.addAreas(compare.Area{Folder: folder, Base: "."})
}

// addChanged adds changed paths of a folder that the system reported. A listing of the folder is
// dropped: it may be older than the change.
func (s *dirtySet) addChanged(folder int, paths []string) {
	s.mu.Lock()
	delete(s.listings, folder)
	s.mu.Unlock()
	areas := make([]compare.Area, len(paths))
	for i, p := range paths {
		areas[i] = compare.Area{Folder: folder, Base: p}
	}
	s.addAreas(areas...)
}

// takeAreas empties the set except for folders that cannot be read, and leaves out areas inside
// others. until is the number of additions that it has taken, for markCompared.
func (s *dirtySet) takeAreas(except map[int]bool) (areas []compare.Area, until int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for a := range s.areas {
		if !except[a.Folder] && !s.covers(a) {
			areas = append(areas, a)
		}
	}
	maps.DeleteFunc(s.areas, func(a compare.Area, _ bool) bool { return !except[a.Folder] })
	return areas, s.added
}

// covers reports whether an area lies inside another one of the set.
func (s *dirtySet) covers(a compare.Area) bool {
	for base := a.Base; base != "."; {
		base = path.Dir(base)
		if s.areas[compare.Area{Folder: a.Folder, Base: base}] {
			return true
		}
	}
	return false
}

// takeListings removes and returns the listings of folders that are compared as a whole.
func (s *dirtySet) takeListings(areas []compare.Area) map[int]docs.Listing {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := make(map[int]docs.Listing)
	for _, a := range areas {
		if found, ok := s.listings[a.Folder]; ok && a == (compare.Area{Folder: a.Folder, Base: "."}) {
			taken[a.Folder] = found
			delete(s.listings, a.Folder)
		}
	}
	return taken
}

// wakeIfAny wakes the consumer if there are areas of folders that can be read.
func (s *dirtySet) wakeIfAny(except map[int]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for a := range s.areas {
		if !except[a.Folder] {
			s.wake()
			return
		}
	}
}

// markCompared records that the additions until then were compared.
func (s *dirtySet) markCompared(until int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.compared = until
	close(s.step)
	s.step = make(chan struct{})
}

// setFailed records whether the last comparison did not complete.
func (s *dirtySet) setFailed(failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failed = failed
}

func (s *dirtySet) hasFailed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// additionCount returns how often areas were added until now.
func (s *dirtySet) additionCount() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.added
}

// waitCompared blocks until everything added until then was compared, except in folders that do
// not answer. The error is that of ctx.
func (s *dirtySet) waitCompared(ctx context.Context, until int) error {
	for {
		s.mu.Lock()
		compared, step := s.compared, s.step
		s.mu.Unlock()
		if compared >= until {
			return nil
		}
		select {
		case <-step:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
