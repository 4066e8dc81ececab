// Package progress says how far the index of a folder is: of this process, which
// others can read in the catalogue, and of others that have its duties. It
// touches no folder and starts nothing; who waits for a state is woken.
package progress

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"vademecum/index/catalog"
)

// Phase is what an index is doing.
type Phase string

const (
	Loading  Phase = "loading"  // bringing the catalogue into memory
	Scanning Phase = "scanning" // comparing the folder with the catalogue
	Indexing Phase = "indexing" // reading what changed
	Ready    Phase = "ready"    // up to date with the last scan
	Failed   Phase = "failed"   // the index cannot be used, see State.Failure
)

// State is a moment in the life of an index.
type State struct {
	Phase       Phase
	Done, Total int       // of the files to be read in Indexing: those that are new, changed or to be read again
	RemoveDone  int       // documents that are removed, of those of which there is no file any more
	RemoveTotal int       // all of them; 0 when none are being removed
	Apart       bool      // in Indexing: no run is under way, what is left is read apart
	Since       time.Time // since when the phase is not Ready, loading apart; zero when it is
	Synced      time.Time // when the last complete scan ended; zero before the first
	Failure     string    // why the last run failed, "" if it did not

	Cut     bool   `json:"-"` // what keeps the index, a database, does not answer now, or not this program
	Away    bool   `json:"-"` // of the two, it does not answer
	Refused string `json:"-"` // in plain words why the database takes no changes, "" while it does

	Missing bool          `json:"-"` // a folder is not there
	Slow    time.Duration `json:"-"` // how long the database takes for each statement at least, where that is long

	Replica Replica `json:"-"` // of the database, that questions are asked of

	Unwatched    string    // why not all of the folders is watched, "" if it is
	EmbedSince   time.Time `json:"-"` // since when the embedding model is at work; zero when it is not
	EmbedFailure string    `json:"-"` // why the embedding model gave no vectors last, "" if it did
	EmbedDone    int       `json:"-"` // passages of this pass that are through with the model
	EmbedTotal   int       `json:"-"` // all of them; 0 when the model is not at work
	EmbedDue     bool      `json:"-"` // another process is to embed what is new
	VectorsDone  int       `json:"-"` // vectors that are indexed, where that is made
	VectorsTotal int       `json:"-"` // all of them; 0 when no index is made
}

// Behind tells whether answers may miss documents: the folder has not been
// compared with the index yet, or a run is not through.
func (s State) Behind() bool { return s.Synced.IsZero() || s.Phase == Indexing }

// IsThrough tells whether no run is under way.
func (s State) IsThrough() bool { return s.Phase == Ready || s.Apart }

// IsStuck tells whether nothing new can come to the index, as the database does not answer
// or takes no changes.
func (s State) IsStuck() bool { return s.Cut || s.Refused != "" }

// Replica is how a replica of a database is used.
type Replica struct {
	IsThere        bool   // there is one
	Asked, Instead int64  // questions that it has answered, and that the database was asked instead
	Why            string // of the last of these, "" while the replica answers
}

// Embedder is another process that embeds a folder.
type Embedder struct {
	VectorNews
	Due bool // there is something that it has not come to yet
}

// Tracker guards the state and wakes those who wait for it to change.
type Tracker struct {
	mu        sync.Mutex
	state     State // of this process
	folders   int
	indexers  map[int]State    // of the processes that index folders instead
	embedders map[int]Embedder // those that embed folders instead
	fault     string           // why this process cannot keep up
	cut, away bool             // see State
	gaps      map[int]string   // why folders are not watched as a whole
	shown     State            // what all of these come to
	run       tally            // files of the run under way
	apart     tally            // files read apart since there were none
	running   bool             // a run is under way
	awake     chan struct{}    // closed at the next change
	watchers  map[chan struct{}]bool
}

func New(folders int) *Tracker {
	p := &Tracker{
		folders:   folders,
		indexers:  make(map[int]State),
		embedders: make(map[int]Embedder),
		gaps:      make(map[int]string),
		watchers:  make(map[chan struct{}]bool),
	}
	p.update(func(s *State) { s.Phase = Loading })
	return p
}

func (p *Tracker) update(change func(*State)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.state)
	before, since := p.shown.Phase, p.shown.Since
	p.shown = p.together()
	switch {
	case p.shown.Phase == Ready:
		p.shown.Since = time.Time{}
	case since.IsZero(), before == Loading && p.shown.Phase != Loading:
		p.shown.Since = time.Now()
	default:
		p.shown.Since = since
	}
	p.wake()
}

// together is the state of this process and of those that have its duties for
// some folders.
func (p *Tracker) together() State {
	s := p.state
	s.Cut, s.Away = p.cut, p.away
	if s.Phase == Failed {
		return s
	}
	if len(p.indexers) == p.folders { // nothing is left for this process to index
		s.Phase, s.Done, s.Total, s.Apart, s.Synced, s.Failure = Ready, 0, 0, false, time.Now(), ""
		s.RemoveDone, s.RemoveTotal = 0, 0
	}
	s.Failure = cmp.Or(s.Failure, p.fault)
	for i := range p.folders {
		if o, ok := p.indexers[i]; ok {
			s = s.and(o)
		}
		if e, ok := p.embedders[i]; ok {
			s.EmbedDue = s.EmbedDue || e.Due
			s.EmbedDone, s.EmbedTotal = s.EmbedDone+e.Done, s.EmbedTotal+e.Total
			s.EmbedFailure = cmp.Or(s.EmbedFailure, e.Failure)
			if s.EmbedSince.IsZero() || !e.Since.IsZero() && e.Since.Before(s.EmbedSince) {
				s.EmbedSince = e.Since
			}
		}
	}
	return s
}

// and is the state of both.
func (s State) and(o State) State {
	s.Apart = (s.Apart || o.Apart) && s.IsThrough() && o.IsThrough()
	switch {
	case o.Phase == Indexing || s.Phase == Indexing:
		s.Phase = Indexing
	case o.Phase != Ready:
		s.Phase = Scanning
	}
	s.Done, s.Total = s.Done+o.Done, s.Total+o.Total
	s.RemoveDone, s.RemoveTotal = s.RemoveDone+o.RemoveDone, s.RemoveTotal+o.RemoveTotal
	if o.Synced.Before(s.Synced) {
		s.Synced = o.Synced
	}
	s.Failure, s.Unwatched = cmp.Or(s.Failure, o.Failure), cmp.Or(s.Unwatched, o.Unwatched)
	return s
}

// HearIndexer notes how far another process is that indexes a folder; nil when
// this one does.
func (p *Tracker) HearIndexer(folder int, o *State) {
	p.update(func(*State) {
		if o == nil {
			delete(p.indexers, folder)
		} else {
			p.indexers[folder] = *o
		}
	})
}

// HearEmbedder notes how far another process is that embeds a folder; nil when
// this one does.
func (p *Tracker) HearEmbedder(folder int, e *Embedder) {
	p.update(func(*State) {
		if e == nil {
			delete(p.embedders, folder)
		} else {
			p.embedders[folder] = *e
		}
	})
}

// EmbeddedByOthers is the set of folders that other processes embed.
func (p *Tracker) EmbeddedByOthers() map[int]bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	others := make(map[int]bool)
	for folder := range p.embedders {
		others[folder] = true
	}
	return others
}

// Unwatched notes why a folder is not watched as a whole, "" when it is.
func (p *Tracker) Unwatched(folder int, why string) {
	p.update(func(s *State) {
		p.gaps[folder] = why
		s.Unwatched = ""
		for _, gap := range p.gaps {
			s.Unwatched = cmp.Or(s.Unwatched, gap)
		}
	})
}

// Own is the state of this process alone.
func (p *Tracker) Own() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state
}

// Restart begins anew: the catalogue of a folder was lost.
func (p *Tracker) Restart(folder int) {
	p.update(func(s *State) {
		s.Phase, s.Synced = Scanning, time.Time{}
		if _, ok := p.indexers[folder]; ok {
			p.indexers[folder] = State{Phase: Scanning}
		}
	})
}

func (p *Tracker) wake() {
	if p.awake != nil {
		close(p.awake)
		p.awake = nil
	}
}

// tally counts files.
type tally struct{ done, total int }

// HandApart counts files of the run under way as files that are read beside it.
// Only those are fresh that are not so already.
func (p *Tracker) HandApart(files, fresh int) {
	if files == 0 {
		return
	}
	p.update(func(s *State) {
		p.run.total -= files
		p.apart.total += fresh
		p.count(s)
	})
}

// AdvanceApart counts one of them as done.
func (p *Tracker) AdvanceApart() {
	p.update(func(s *State) {
		if p.apart.done++; p.apart.done == p.apart.total {
			p.apart = tally{}
		}
		p.count(s)
	})
	p.Signal()
}

// Expect counts n files more in the run under way.
func (p *Tracker) Expect(n int) {
	if n == 0 {
		return
	}
	p.update(func(s *State) {
		p.run.total += n
		p.count(s)
	})
}

func (p *Tracker) Advance(n int) {
	if n == 0 {
		return
	}
	p.update(func(s *State) {
		p.run.done += n
		p.count(s)
	})
	p.Signal()
}

// Remove notes how many documents are removed of those that are to be; of none when that
// has come to its end.
func (p *Tracker) Remove(done, total int) {
	p.update(func(s *State) { s.RemoveDone, s.RemoveTotal = done, total })
}

// count sets what follows from the tallies.
func (p *Tracker) count(s *State) {
	s.Done, s.Total = p.run.done+p.apart.done, p.run.total+p.apart.total
	s.Apart = !p.running && p.apart.total > 0
	switch {
	case s.Total > 0:
		s.Phase = Indexing
	case !p.running:
		s.Phase = Ready
	}
}

// Load notes that the catalogues are in memory.
func (p *Tracker) Load() {
	p.update(func(s *State) { s.Phase = Scanning })
	p.Signal()
}

// Start opens a run, the first with the phase Scanning.
func (p *Tracker) Start() {
	p.update(func(s *State) {
		p.running = true
		p.count(s)
		if s.Synced.IsZero() {
			s.Phase = Scanning
		}
	})
}

// End closes a run. complete says that every folder was scanned as a whole.
func (p *Tracker) End(err error, complete bool) {
	p.update(func(s *State) {
		p.running, p.run, s.Failure = false, tally{}, ""
		p.count(s)
		if err != nil {
			s.Failure = err.Error()
		} else if complete {
			s.Synced = time.Now()
		}
	})
	p.Signal()
}

// Embed notes that a pass of the embedding model over n passages begins.
func (p *Tracker) Embed(n int) {
	p.update(func(s *State) { s.EmbedSince, s.EmbedDone, s.EmbedTotal = time.Now(), 0, n })
}

// AdvanceEmbedding counts n of them as done: the model answers.
func (p *Tracker) AdvanceEmbedding(n int) {
	p.update(func(s *State) { s.EmbedDone, s.EmbedFailure = s.EmbedDone+n, "" })
}

// EmbedPace is how many passages a second the model has embedded in this pass,
// and how long the rest will take at that; 0 while that cannot be told.
func (s State) EmbedPace() (perSecond float64, left time.Duration) {
	took := time.Since(s.EmbedSince).Seconds()
	if s.EmbedSince.IsZero() || s.EmbedDone == 0 || took <= 0 {
		return 0, 0
	}
	perSecond = float64(s.EmbedDone) / took
	seconds := float64(max(0, s.EmbedTotal-s.EmbedDone)) / perSecond
	return perSecond, time.Duration(seconds * float64(time.Second)).Round(time.Second)
}

// IndexVectors notes how many vectors are indexed of those that are to be; of none when
// that has come to its end.
func (p *Tracker) IndexVectors(done, total int) {
	p.update(func(s *State) { s.VectorsDone, s.VectorsTotal = done, total })
}

// Embedded notes how a pass of the embedding model ended.
func (p *Tracker) Embedded(err error) {
	p.update(func(s *State) {
		s.EmbedSince, s.EmbedDone, s.EmbedTotal, s.EmbedFailure = time.Time{}, 0, 0, ""
		if err != nil {
			s.EmbedFailure = err.Error()
		}
	})
}

// KeepsUp notes why this process cannot take over what is on the disk, nil when
// it can.
func (p *Tracker) KeepsUp(err error) {
	fault := ""
	if err != nil {
		fault = err.Error()
	}
	p.mu.Lock()
	same := p.fault == fault
	p.fault, p.away = fault, errors.Is(err, catalog.ErrUnreachable)
	p.cut = p.away || errors.Is(err, catalog.ErrUnready)
	p.mu.Unlock()
	if !same {
		p.update(func(*State) {})
	}
}

// Fail ends it all.
func (p *Tracker) Fail(err error) {
	p.update(func(s *State) { s.Phase, s.Failure = Failed, err.Error() })
}

// Signal tells the watchers that documents may have changed.
func (p *Tracker) Signal() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.watchers {
		select {
		case w <- struct{}{}:
		default:
		}
	}
}

// Wait blocks until ok says yes of the state, or ctx ends.
func (p *Tracker) Wait(ctx context.Context, ok func(State) bool) error {
	for {
		p.mu.Lock()
		if p.awake == nil {
			p.awake = make(chan struct{})
		}
		shown, awake := p.shown, p.awake
		p.mu.Unlock()
		if ok(shown) {
			return nil
		}
		select {
		case <-awake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Now is the state that is shown: of this process and of those that have its
// duties.
func (p *Tracker) Now() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown
}

// Changes returns a channel that holds a token whenever documents may have
// changed since it was last read, until ctx ends.
func (p *Tracker) Changes(ctx context.Context) <-chan struct{} {
	c := make(chan struct{}, 1)
	p.mu.Lock()
	p.watchers[c] = true
	p.mu.Unlock()
	context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.watchers, c)
	})
	return c
}
