package index

import (
	"cmp"
	"context"
	"maps"
	"sync"
	"time"
)

// Phase is what an Index is doing.
type Phase string

const (
	Loading  Phase = "loading"  // bringing the catalogue into memory
	Scanning Phase = "scanning" // comparing the folder with the catalogue
	Indexing Phase = "indexing" // reading what changed
	Ready    Phase = "ready"    // up to date with the last scan
	Failed   Phase = "failed"   // the index cannot be used, see State.Failure
)

// State is a moment in the life of an Index.
type State struct {
	Phase       Phase
	Done, Total int       // documents of the run in Indexing
	Apart       bool      // in Indexing: no run is under way, what is left is read apart
	Since       time.Time // since when the phase is not Ready; zero when it is
	Synced      time.Time // when the last complete scan ended; zero before the first
	Failure     string    // why the last run failed, "" if it did not

	Unwatched    string    // why not all of the folders is watched, "" if it is
	EmbedSince   time.Time // since when the embedding model is at work; zero when it is not
	EmbedFailure string    // why the embedding model gave no vectors last, "" if it did
}

// Behind tells whether answers may miss documents: the folder has not been
// compared with the index yet, or a run is not through.
func (s State) Behind() bool { return s.Synced.IsZero() || s.Phase == Indexing }

// progress guards the state and wakes those who wait for it to change.
type progress struct {
	mu       sync.Mutex
	state    State          // of this process
	others   map[int]State  // of the processes that index folders instead
	led      int            // folders that this process indexes
	gaps     map[int]string // why folders are not watched as a whole
	shown    State          // what all of these come to
	run      tally          // files of the run under way
	apart    tally          // files read apart since there were none
	running  bool           // a run is under way
	awake    chan struct{}  // closed at the next change
	watchers map[chan struct{}]bool
}

func (p *progress) update(change func(*State)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.state)
	since := p.shown.Since
	p.shown = p.together()
	switch {
	case p.shown.Phase == Ready:
		p.shown.Since = time.Time{}
	case since.IsZero():
		p.shown.Since = time.Now()
	default:
		p.shown.Since = since
	}
	p.wake()
}

// together is the state of this process and of those that index folders
// instead of it.
func (p *progress) together() State {
	s := p.state
	if len(p.others) > 0 && p.led == 0 && s.Phase != Failed {
		s = State{Phase: Ready, Synced: time.Now(), EmbedSince: s.EmbedSince, EmbedFailure: s.EmbedFailure}
	}
	for _, o := range p.others {
		s.Done, s.Total = s.Done+o.Done, s.Total+o.Total
		s.Apart = o.Apart && (s.Phase == Ready || s.Apart)
		switch {
		case s.Phase == Failed:
		case o.Phase == Indexing || s.Phase == Indexing:
			s.Phase = Indexing
		case o.Phase != Ready:
			s.Phase = Scanning
		}
		if o.Synced.Before(s.Synced) {
			s.Synced = o.Synced
		}
		s.Failure, s.EmbedFailure = cmp.Or(s.Failure, o.Failure), cmp.Or(s.EmbedFailure, o.EmbedFailure)
		s.Unwatched = cmp.Or(s.Unwatched, o.Unwatched)
		if s.EmbedSince.IsZero() || !o.EmbedSince.IsZero() && o.EmbedSince.Before(s.EmbedSince) {
			s.EmbedSince = o.EmbedSince
		}
	}
	return s
}

// duties notes how many folders this process indexes, and how far those are
// that index the others.
func (p *progress) duties(led int, others map[int]State) {
	p.update(func(*State) { p.led, p.others = led, others })
}

// unwatched notes why a folder is not watched as a whole, "" when it is.
func (p *progress) unwatched(folder int, why string) {
	p.update(func(s *State) {
		if p.gaps == nil {
			p.gaps = make(map[int]string)
		}
		p.gaps[folder] = why
		s.Unwatched = ""
		for _, gap := range p.gaps {
			s.Unwatched = cmp.Or(s.Unwatched, gap)
		}
	})
}

// own is the state of this process alone.
func (p *progress) own() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// restart begins anew: the catalogue of a folder was lost.
func (p *progress) restart(folder int) {
	p.update(func(s *State) {
		s.Phase, s.Synced = Scanning, time.Time{}
		if _, ok := p.others[folder]; ok {
			p.others = maps.Clone(p.others)
			p.others[folder] = State{Phase: Scanning}
		}
	})
}

func (p *progress) wake() {
	if p.awake != nil {
		close(p.awake)
		p.awake = nil
	}
}

func (p *progress) begin(phase Phase) {
	p.update(func(s *State) { s.Phase, s.Done, s.Total = phase, 0, 0 })
}

// tally counts files.
type tally struct{ done, total int }

// expectApart counts n files more that are read beside the runs.
func (p *progress) expectApart(n int) {
	if n == 0 {
		return
	}
	p.update(func(s *State) {
		p.apart.total += n
		p.count(s)
	})
}

// advanceApart counts one of them as done.
func (p *progress) advanceApart() {
	p.update(func(s *State) {
		if p.apart.done++; p.apart.done == p.apart.total {
			p.apart = tally{}
		}
		p.count(s)
	})
	p.signal()
}

// expect counts n files more in the run under way.
func (p *progress) expect(n int) {
	p.update(func(s *State) {
		p.run.total += n
		p.count(s)
	})
}

func (p *progress) advance(n int) {
	p.update(func(s *State) {
		p.run.done += n
		p.count(s)
	})
	p.signal()
}

// count sets what follows from the tallies.
func (p *progress) count(s *State) {
	s.Done, s.Total = p.run.done+p.apart.done, p.run.total+p.apart.total
	s.Apart = !p.running && p.apart.total > 0
	switch {
	case s.Total > 0:
		s.Phase = Indexing
	case !p.running:
		s.Phase = Ready
	}
}

// start opens a run, the first with the phase Scanning.
func (p *progress) start() {
	p.update(func(s *State) {
		p.running = true
		p.count(s)
		if s.Synced.IsZero() {
			s.Phase = Scanning
		}
	})
}

// end closes a run. complete says that every folder was scanned as a whole.
func (p *progress) end(err error, complete bool) {
	p.update(func(s *State) {
		p.running, p.run, s.Failure = false, tally{}, ""
		p.count(s)
		if err != nil {
			s.Failure = err.Error()
		} else if complete {
			s.Synced = time.Now()
		}
	})
	p.signal()
}

// embed notes that a pass of the embedding model begins.
func (p *progress) embed() {
	p.update(func(s *State) { s.EmbedSince = time.Now() })
}

// embedded notes how a pass of the embedding model ended.
func (p *progress) embedded(err error) {
	p.update(func(s *State) {
		s.EmbedSince, s.EmbedFailure = time.Time{}, ""
		if err != nil {
			s.EmbedFailure = err.Error()
		}
	})
}

// changed wakes those who wait for something that is not in the state.
func (p *progress) changed() { p.update(func(*State) {}) }

// fail ends it all.
func (p *progress) fail(err error) {
	p.update(func(s *State) { s.Phase, s.Failure = Failed, err.Error() })
}

// signal tells the watchers that documents may have changed.
func (p *progress) signal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// wait blocks until ok says yes of the state, or ctx ends.
func (p *progress) wait(ctx context.Context, ok func(State) bool) error {
	for {
		p.mu.Lock()
		if ok(p.shown) {
			p.mu.Unlock()
			return nil
		}
		if p.awake == nil {
			p.awake = make(chan struct{})
		}
		awake := p.awake
		p.mu.Unlock()
		select {
		case <-awake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// State tells what the index is doing now.
func (ix *Index) State() State {
	ix.progress.mu.Lock()
	defer ix.progress.mu.Unlock()
	return ix.progress.shown
}

// WaitRun blocks until the folders have been compared with the index once and
// no run is under way, or until something has failed. Files may still be read
// apart.
func (ix *Index) WaitRun(ctx context.Context) error {
	return ix.progress.wait(ctx, func(s State) bool {
		return s.Phase == Failed || s.Failure != "" || !s.Synced.IsZero() && (s.Phase == Ready || s.Apart)
	})
}

// WaitReady blocks until the folders have been compared with the index once,
// no run is under way and every chunk has its vector, or until something has
// failed.
func (ix *Index) WaitReady(ctx context.Context) error {
	return ix.progress.wait(ctx, func(s State) bool {
		switch {
		case s.Phase == Failed, s.Failure != "":
			return true
		case s.Phase != Ready || s.Behind():
			return false
		}
		return s.EmbedFailure != "" || len(ix.store.pending(ix.refused)) == 0
	})
}

// Changes returns a channel that holds a token whenever documents may have
// changed since it was last read, and a function that ends the subscription.
func (ix *Index) Changes() (<-chan struct{}, func()) {
	p := &ix.progress
	c := make(chan struct{}, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.watchers == nil {
		p.watchers = make(map[chan struct{}]bool)
	}
	p.watchers[c] = true
	return c, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.watchers, c)
	}
}
