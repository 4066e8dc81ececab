// Package progress has the words in which a process says how far it is with an
// index: to those who ask it, and to other processes, which read them in the
// catalogue.
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

// State is a moment in the life of an index.
type State struct {
	Phase       Phase
	Done, Total int             // of the files to be read in Indexing: those that are new, changed or to be read again
	RemoveDone  int             // documents that are removed, of those of which there is no file any more
	RemoveTotal int             // all of them; 0 when none are being removed
	Background  bool            `json:"Apart"` // in Indexing: no run is under way, what is left is read apart
	Since       time.Time       // since when the phase is not Ready, loading apart; zero when it is
	Synced      time.Time       // when the last complete scan ended; zero before the first
	Failure     message.Message // why the last run failed, "" if it did not

	Cut     bool            `json:"-"` // what keeps the index, a database, does not answer now, or not this program
	Away    bool            `json:"-"` // of the two, it does not answer
	Refused message.Message `json:"-"` // in plain words why the database takes no changes, "" while it does

	Missing bool          `json:"-"` // a folder is not there
	Slow    time.Duration `json:"-"` // how long the database takes for each statement at least, where that is long

	Replica Replica `json:"-"` // of the database, that questions are asked of

	Awaits message.Message `json:"-"` // the other process that this one waits for, "" if it does not

	PagesToRecognise PagesToRecognise `json:"Scans"` // pages of which the text is to be recognised, where that is done

	Unwatched    message.Message // why not all of the folders is watched, "" if it is
	EmbedSince   time.Time       `json:"-"` // since when the embedding model is at work; zero when it is not
	EmbedFailure message.Message `json:"-"` // why the embedding model gave no vectors last, "" if it did
	EmbedDone    int             `json:"-"` // passages of this pass that are through with the model
	EmbedTotal   int             `json:"-"` // all of them; 0 when the model is not at work
	EmbedEach    time.Duration   `json:"-"` // that a passage took last; 0: not known
	EmbedDue     bool            `json:"-"` // another process is to embed what is new
	VectorsDone  int             `json:"-"` // vectors that are indexed, where that is made
	VectorsTotal int             `json:"-"` // all of them; 0 when no index is made
}

// IsBehind reports whether answers may miss documents: the folder has not been
// compared with the index yet, or a run is not through.
func (s State) IsBehind() bool { return s.Synced.IsZero() || s.Phase == Indexing }

// IsIdle reports whether no run is under way.
func (s State) IsIdle() bool { return s.Phase == Ready || s.Background }

// IsStuck reports whether nothing new can come to the index, as the database does not answer
// or takes no changes.
func (s State) IsStuck() bool { return s.Cut || s.Refused != "" }

// Replica is how a replica of a database is used.
type Replica struct {
	IsThere        bool            // there is one
	Asked, Instead int64           // questions that it has answered, and that the database was asked instead
	Why            message.Message // of the last of these, "" while the replica answers
}

// Embedder is another process that embeds a folder.
type Embedder struct {
	VectorReport
	Due bool // there is something that it has not come to yet
}

// EmbedPace is how many passages a second the model has embedded in this pass,
// and how long the rest will take at that; 0 while that is not known.
func (s State) EmbedPace() (perSecond float64, left time.Duration) {
	took := time.Since(s.EmbedSince).Seconds()
	if s.EmbedSince.IsZero() || s.EmbedDone == 0 || took <= 0 {
		return 0, 0
	}
	perSecond = float64(s.EmbedDone) / took
	seconds := float64(max(0, s.EmbedTotal-s.EmbedDone)) / perSecond
	return perSecond, time.Duration(seconds * float64(time.Second)).Round(time.Second)
}

// Scans are pages of which the text is to be recognised.
type PagesToRecognise struct {
	Left    int             // pages
	Total   int             // of them and those that are done since there were none
	Each    time.Duration   // that a page takes, 0: not known
	Failure message.Message // why no more are recognised now, "" if they are
	GivenUp int             // pages of documents that are not tried again, which are none of those that are left
	Off     bool            // this process recognises none, and counts none
}

// TimeLeft is about how long it takes to recognise those that are left; 0 while that cannot be
// told.
func (s PagesToRecognise) TimeLeft() time.Duration {
	left := time.Duration(s.Left) * s.Each
	if left > time.Minute {
		return left.Round(time.Minute)
	}
	return left.Round(time.Second)
}

// TimeLeft is how long reading the files takes that are left, at the rate of those that are
// done; 0 while that is not known, or is not worth reporting.
func (s State) TimeLeft() time.Duration {
	const fewest, shortest = 20, 5 * time.Second // before, the rate is that of chance, and nobody plans by it
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

// Combined is the state of two processes together.
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
