// Package progress defines the values in which a process reports its progress with an index, to its
// callers and, through the catalogue, to other processes.
package progress

import (
	"cmp"
	"time"

	"vademecum/internal/base/message"
)

// Phase is what an index is doing.
type Phase string

const (
	Loading  Phase = "loading"  // reading the catalogue into memory
	Scanning Phase = "scanning" // comparing the folder with the catalogue
	Indexing Phase = "indexing" // reading changed files
	Ready    Phase = "ready"    // up to date with the last scan
	Failed   Phase = "failed"   // the index cannot be used, see State.Failure
)

// State is the state of an index at one moment: what is being done to it, how far that is, and what
// failed.
type State struct {
	Phase       Phase
	FilesDone   int `json:"Done"`  // while Indexing: number of files read
	FilesTotal  int `json:"Total"` // number of all files that are new, changed or to be read again
	RemoveDone  int // documents removed so far whose files are gone
	RemoveTotal int // number of documents to remove; 0 if none are being removed
	// while Indexing: no run is in progress, and the remaining files are read in the background
	ReadsInBackground bool `json:"Apart"`
	// when the phase stopped being Ready, not counting Loading; zero if it is Ready
	Since   time.Time
	Synced  time.Time       // when the last complete scan ended; zero before the first
	Failure message.Message // why the last run failed; "" if it did not

	// the database that stores the index does not answer, or not to this program
	IsDatabaseUnavailable bool            `json:"-"`
	IsDatabaseUnreachable bool            `json:"-"` // the database does not answer at all
	WriteRefusal          message.Message `json:"-"` // why the database accepts no changes; "" if it does

	IsFolderMissing bool `json:"-"` // a folder is missing
	// minimum time that the database takes for a statement; 0 if that is short
	DatabaseLatency time.Duration `json:"-"`

	Replica ReplicaUse `json:"-"` // use of a replica of the database for queries

	WaitingFor message.Message `json:"-"` // description of another process that this one waits for; "" if none

	// pages whose text is to be recognised, if recognition is on
	PagesToRecognise PagesToRecognise `json:"Scans"`

	UnwatchedReason message.Message `json:"Unwatched"` // why not all of a folder is watched for changes; "" if all folders are
	// when the embedding model began to work; zero if it is idle
	EmbedSince time.Time `json:"-"`
	// why the embedding model last returned no vectors; "" if it did return some
	EmbedFailure message.Message `json:"-"`
	EmbedDone    int             `json:"-"` // passages embedded in this pass
	// number of passages in this pass; 0 if the model is idle
	EmbedTotal          int           `json:"-"`
	EmbedTimePerPassage time.Duration `json:"-"` // time that the model took for the last passage; 0 if unknown
	IsPeerEmbeddingDue  bool          `json:"-"` // another process is expected to embed new passages
	VectorsIndexed      int           `json:"-"` // vectors indexed so far, if an index is being built
	// number of vectors to index; 0 if no vector index is being built
	VectorsToIndex int `json:"-"`
}

// IsBehind reports whether answers may lack documents: the folder has not been compared with the
// index yet, or a run is in progress.
func (s State) IsBehind() bool { return s.Synced.IsZero() || s.Phase == Indexing }

// IsIdle reports whether no run is in progress.
func (s State) IsIdle() bool { return s.Phase == Ready || s.ReadsInBackground }

// IsStuck reports whether the index cannot be updated because the database does not answer or
// accepts no changes.
func (s State) IsStuck() bool { return s.IsDatabaseUnavailable || s.WriteRefusal != "" }

// ReplicaUse says whether queries are answered by a replica of the database.
type ReplicaUse struct {
	IsConfigured bool // a replica is configured
	// number of queries answered by the replica, and by the database in its place
	AnsweredByReplica, AnsweredByDatabase int64
	// why the database answered the last query; "" while the replica answers
	FallbackReason message.Message
}

// EmbeddingProgress is the progress of another process in embedding a folder.
type EmbeddingProgress struct {
	EmbedderReport
	IsEmbeddingDue bool // there are new passages that it has not begun to embed
}

// EmbedPace returns how many passages per second the model has embedded in this pass, and the
// remaining time at that rate; 0 if unknown.
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
	Left        int             // number of pages still to be recognised
	Total       int             // Left plus the pages done since Left was last 0
	TimePerPage time.Duration   `json:"Each"` // average time to recognise a page; 0 if unknown
	Failure     message.Message // why recognition has stopped; "" if it has not
	// number of pages in documents whose recognition failed, and is not tried again for now; Left does not
	// include them
	GivenUp int
	IsOff   bool `json:"Off"` // this process does not recognise text, and so does not count pages
}

// TimeLeft returns approximately how long recognising the remaining pages takes; 0 if unknown.
func (s PagesToRecognise) TimeLeft() time.Duration {
	left := time.Duration(s.Left) * s.TimePerPage
	if left > time.Minute {
		return left.Round(time.Minute)
	}
	return left.Round(time.Second)
}

// TimeLeft returns how long reading the remaining files takes at the rate so far; 0 if that is
// unknown, or not worth reporting.
func (s State) TimeLeft() time.Duration {
	// below these, the rate is not reliable, or the time too short to be useful
	const fewest, shortest = 20, 5 * time.Second
	took := time.Since(s.Since)
	if s.Phase != Indexing || s.Since.IsZero() || s.FilesDone < fewest || s.FilesDone >= s.FilesTotal {
		return 0
	}
	left := time.Duration(float64(took) / float64(s.FilesDone) * float64(s.FilesTotal-s.FilesDone))
	switch {
	case left < shortest:
		return 0
	case left > time.Minute:
		return left.Round(time.Minute)
	}
	return left.Round(time.Second)
}

// Combined returns the state of an index on which two processes work, which report s and other.
func (s State) Combined(other State) State {
	s.ReadsInBackground = (s.ReadsInBackground || other.ReadsInBackground) && s.IsIdle() && other.IsIdle()
	switch {
	case other.Phase == Indexing || s.Phase == Indexing:
		s.Phase = Indexing
	case other.Phase != Ready:
		s.Phase = Scanning
	}
	s.FilesDone, s.FilesTotal = s.FilesDone+other.FilesDone, s.FilesTotal+other.FilesTotal
	s.RemoveDone, s.RemoveTotal = s.RemoveDone+other.RemoveDone, s.RemoveTotal+other.RemoveTotal
	s.PagesToRecognise.Left, s.PagesToRecognise.Total = s.PagesToRecognise.Left+other.PagesToRecognise.Left, s.PagesToRecognise.Total+other.PagesToRecognise.Total
	s.PagesToRecognise.GivenUp += other.PagesToRecognise.GivenUp
	s.PagesToRecognise.TimePerPage, s.PagesToRecognise.Failure = max(s.PagesToRecognise.TimePerPage, other.PagesToRecognise.TimePerPage), cmp.Or(s.PagesToRecognise.Failure, other.PagesToRecognise.Failure)
	if other.Synced.Before(s.Synced) {
		s.Synced = other.Synced
	}
	s.Failure, s.UnwatchedReason = cmp.Or(s.Failure, other.Failure), cmp.Or(s.UnwatchedReason, other.UnwatchedReason)
	return s
}
