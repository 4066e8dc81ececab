// Package progress defines the states in which a process reports its progress with an index: to
// callers, and through the catalogue to other processes.
package progress

import (
	"cmp"
	"time"

	"vademecum/internal/base/message"
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

// State is the state of an index at one moment.
type State struct {
	Phase       Phase
	Done, Total int             // files to be read while Indexing: new, changed or to be read again
	RemoveDone  int             // documents removed so far, of those whose file is gone
	RemoveTotal int             // all of them; 0 when none are being removed
	Background  bool            `json:"Apart"` // while Indexing: no run is under way, the files left are read in the background
	Since       time.Time       // since when the phase is not Ready, without loading; zero when it is Ready
	Synced      time.Time       // when the last complete scan ended; zero before the first
	Failure     message.Message // why the last run failed, "" if it did not

	Cut     bool            `json:"-"` // the database that stores the index does not answer, or not this program
	Away    bool            `json:"-"` // the database does not answer at all
	Refused message.Message `json:"-"` // in plain words why the database accepts no changes, "" while it does

	Missing bool          `json:"-"` // a folder is missing
	Slow    time.Duration `json:"-"` // the least time the database takes for a statement, if that is long

	Replica Replica `json:"-"` // the replica of the database that answers questions

	Awaits message.Message `json:"-"` // the other process that this one waits for, "" for none

	PagesToRecognise PagesToRecognise `json:"Scans"` // pages whose text is to be recognised, where that is done

	Unwatched    message.Message // why a folder is not watched as a whole, "" if all are
	EmbedSince   time.Time       `json:"-"` // since when the embedding model is working; zero when it is not
	EmbedFailure message.Message `json:"-"` // why the embedding model last returned no vectors, "" if it did
	EmbedDone    int             `json:"-"` // passages embedded in this pass
	EmbedTotal   int             `json:"-"` // all passages of this pass; 0 when the model is not working
	EmbedEach    time.Duration   `json:"-"` // time for the last passage; 0: unknown
	EmbedDue     bool            `json:"-"` // another process is to embed what is new
	VectorsDone  int             `json:"-"` // vectors indexed so far, where vectors are indexed
	VectorsTotal int             `json:"-"` // all of them; 0 when no vector index is being built
}

// IsBehind reports whether answers may miss documents: the folder has not been compared with the
// index yet, or a run is under way.
func (s State) IsBehind() bool { return s.Synced.IsZero() || s.Phase == Indexing }

// IsIdle reports whether no run is under way.
func (s State) IsIdle() bool { return s.Phase == Ready || s.Background }

// IsStuck reports whether the index cannot be updated because the database does not answer or
// accepts no changes.
func (s State) IsStuck() bool { return s.Cut || s.Refused != "" }

// Replica describes the use of a replica of a database.
type Replica struct {
	IsThere        bool            // a replica is configured
	Asked, Instead int64           // questions that the replica answered, and that the database answered instead
	Why            message.Message // why the database answered the last of these, "" while the replica answers
}

// Embedder is the progress of another process that embeds a folder.
type Embedder struct {
	VectorReport
	Due bool // it has not begun with something that is to be embedded
}

// EmbedPace returns how many passages a second the model has embedded in this pass, and how long
// the rest will take at that pace; 0 while unknown.
func (s State) EmbedPace() (perSecond float64, left time.Duration) {
	took := time.Since(s.EmbedSince).Seconds()
	if s.EmbedSince.IsZero() || s.EmbedDone == 0 || took <= 0 {
		return 0, 0
	}
	perSecond = float64(s.EmbedDone) / took
	seconds := float64(max(0, s.EmbedTotal-s.EmbedDone)) / perSecond
	return perSecond, time.Duration(seconds * float64(time.Second)).Round(time.Second)
}

// PagesToRecognise counts scanned pages whose text is to be recognised.
type PagesToRecognise struct {
	Left    int             // pages to be recognised
	Total   int             // these and the pages done since the last time that none were left
	Each    time.Duration   // time for a page, 0: unknown
	Failure message.Message // why recognition has stopped, "" if it has not
	GivenUp int             // pages of documents that are not tried again; not counted in Left
	Off     bool            // this process does not recognise text, and does not count pages
}

// TimeLeft is about how long it takes to recognise the pages left; 0 while unknown.
func (s PagesToRecognise) TimeLeft() time.Duration {
	left := time.Duration(s.Left) * s.Each
	if left > time.Minute {
		return left.Round(time.Minute)
	}
	return left.Round(time.Second)
}

// TimeLeft is how long it takes to read the files left, at the rate so far; 0 while that is not
// known, or not worth reporting.
func (s State) TimeLeft() time.Duration {
	const fewest, shortest = 20, 5 * time.Second // before, the rate is that of chance, and the time is too short to plan by
	took := time.Since(s.Since)
	if s.Phase != Indexing || s.Since.IsZero() || s.Done < fewest || s.Done >= s.Total {
		return 0
	}
	left := time.Duration(float64(took) / float64(s.Done) * float64(s.Total-s.Done))
	switch {
	case left < shortest:
		return 0
	case left > time.Minute:
		return left.Round(time.Minute)
	}
	return left.Round(time.Second)
}

// Combined returns the combined state of two processes.
func (s State) Combined(o State) State {
	s.Background = (s.Background || o.Background) && s.IsIdle() && o.IsIdle()
	switch {
	case o.Phase == Indexing || s.Phase == Indexing:
		s.Phase = Indexing
	case o.Phase != Ready:
		s.Phase = Scanning
	}
	s.Done, s.Total = s.Done+o.Done, s.Total+o.Total
	s.RemoveDone, s.RemoveTotal = s.RemoveDone+o.RemoveDone, s.RemoveTotal+o.RemoveTotal
	s.PagesToRecognise.Left, s.PagesToRecognise.Total = s.PagesToRecognise.Left+o.PagesToRecognise.Left, s.PagesToRecognise.Total+o.PagesToRecognise.Total
	s.PagesToRecognise.GivenUp += o.PagesToRecognise.GivenUp
	s.PagesToRecognise.Each, s.PagesToRecognise.Failure = max(s.PagesToRecognise.Each, o.PagesToRecognise.Each), cmp.Or(s.PagesToRecognise.Failure, o.PagesToRecognise.Failure)
	if o.Synced.Before(s.Synced) {
		s.Synced = o.Synced
	}
	s.Failure, s.Unwatched = cmp.Or(s.Failure, o.Failure), cmp.Or(s.Unwatched, o.Unwatched)
	return s
}
