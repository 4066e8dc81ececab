// Package freshness says how far what can be found is behind what is saved. A Snapshot is all that
// is known about that at one moment; its methods say what follows: whether a response may lack
// documents, and which notes it needs. Package sync changes and publishes it after each step.
package freshness

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// Snapshot is how far an index is behind at one moment. A copy stays as it is.
type Snapshot struct {
	// State is that of all processes together. Publisher derives it from the following ones.
	State   progress.State
	Own     progress.State // of this process alone
	Folders []Folder       // not changed in place, see Edit

	run, background fileCounts // files that this process has to read: of the current run, and outside of runs
	isRunning       bool       // a run is in progress
	scans           scanTimes

	ComparedAll time.Time // start of the last scan of all folders that this process indexes; zero if there was none

	HasLoaded          bool  // loading has ended
	LoadError          error // why it failed; nil if it did not
	IsStorageReached   bool  // a catalogue was opened or refused, so that its storage has responded
	IsServing          bool  // this process listens to others, and reports problems of the database
	HasRecogniser      bool  // a program that recognises the text of scanned pages is installed
	IndexLosses        int   // number of times that an index was lost and replaced
	DocumentChanges    int   // number of times that documents may have changed
	followError        message.Message
	isCutOff, isAbsent bool // see progress.State: the database is unavailable, or even unreachable

	Contents // zero until package sync has looked at them
}

// Contents is what the index holds, and what it lacks.
type Contents struct {
	Chunks         int
	Unembedded     int               // chunks without a vector of a model that is not free
	HasPending     bool              // the model is yet to be asked about some of these
	ThrottledFiles []search.Location // files whose latest changes are not read yet, because they change all the time
	FirstThrottled string            // the first of these, as shown to users
}

// Folder is what is known of one folder.
type Folder struct {
	Indexer    *progress.State             // progress of the process that indexes it; nil if this process does
	IndexerPID int                         // of that process; 0 if unknown
	Embedder   *progress.EmbeddingProgress // progress of the process that embeds it; nil if this process does

	LacksIndexer bool // no process indexes it, and this one cannot
	// when a query was last answered before the indexer had fulfilled its request; zero if never
	UnansweredSince time.Time
	Unwatched       message.Message // why it is not watched as a whole; "" if it is
	WasMissing      bool            // it was missing and has not been compared since
	Mismatch        *notice.Note    // why this process does not index it: its files are not those of the library; nil if it does
	// Start of the latest query that found everything indexed, and of the latest that could not
	// confirm that in time. What a later query found also holds for earlier ones, but not vice versa.
	confirmedAt, unconfirmedAt time.Time

	Observed // zero until package sync has looked at it
}

// Observed is what a folder and its storage say when they are looked at.
type Observed struct {
	Dir, RealPath   string
	Storage         message.Message // short name
	Missing         error           // why it is missing; nil if it is there
	UnresponsiveFor time.Duration   // 0 if its file system answers
	Moved           message.Message // that its path now leads elsewhere; "" if it does not
	IsSaved         bool            // its index is loaded, and not kept in memory alone: another process may keep it up to date
	// how long the process that does has shown no sign of life; 0 if that is not worth reporting
	IndexerUnresponsiveFor time.Duration
	Documents              int // including those without text
	UnrecognisedPages      int
}

// Edit returns a folder to be changed, in a copy of Folders.
func (s *Snapshot) Edit(folder int) *Folder {
	s.Folders = slices.Clone(s.Folders)
	return &s.Folders[folder]
}

// combine derives State, in which Since is when its phase stopped being Ready.
func (s *Snapshot) combine() {
	before, since := s.State.Phase, s.State.Since
	s.Own.Unwatched = ""
	for i := range s.Folders {
		s.Own.Unwatched = cmp.Or(s.Own.Unwatched, s.Folders[i].Unwatched)
	}
	s.State = s.combined()
	switch {
	case s.State.Phase == progress.Ready:
		s.State.Since = time.Time{}
	case since.IsZero(), before == progress.Loading && s.State.Phase != progress.Loading:
		s.State.Since = time.Now()
	default:
		s.State.Since = since
	}
}

// combined returns the state of this process combined with the states of the processes that have
// its duties for some folders.
func (s *Snapshot) combined() progress.State {
	all := s.Own
	all.IsDatabaseUnavailable, all.IsDatabaseUnreachable = s.isCutOff, s.isAbsent
	if all.Phase == progress.Failed {
		return all
	}
	if !slices.ContainsFunc(s.Folders, func(f Folder) bool { return f.Indexer == nil }) { // this process indexes none
		all.Phase, all.Done, all.Total, all.Background, all.Synced, all.Failure = progress.Ready, 0, 0, false, time.Now(), ""
		all.RemoveDone, all.RemoveTotal = 0, 0
		all.PagesToRecognise = progress.PagesToRecognise{}
	}
	all.Failure = cmp.Or(all.Failure, s.followError)
	for i := range s.Folders {
		if other := s.Folders[i].Indexer; other != nil {
			all = all.Combined(*other)
		}
		if e := s.Folders[i].Embedder; e != nil {
			all.IsEmbeddingDue = all.IsEmbeddingDue || e.IsDue
			all.EmbedDone, all.EmbedTotal = all.EmbedDone+e.Done, all.EmbedTotal+e.Total
			all.EmbedFailure = cmp.Or(all.EmbedFailure, message.Message(e.Failure))
			if all.EmbedSince.IsZero() || !e.Since.IsZero() && e.Since.Before(all.EmbedSince) {
				all.EmbedSince = e.Since
			}
		}
	}
	return all
}

// SetFollowError records why this process cannot follow the stored index, nil if it can.
func (s *Snapshot) SetFollowError(err error) {
	s.isAbsent = errors.Is(err, catalog.ErrUnreachable)
	s.isCutOff = s.isAbsent || errors.Is(err, catalog.ErrSetupRequired)
	s.followError = message.FromError(err)
}

// RestartFolder resets the progress of a folder after its catalogue was lost.
func (s *Snapshot) RestartFolder(folder int) {
	s.Own.Phase, s.Own.Synced = progress.Scanning, time.Time{}
	if s.Folders[folder].Indexer != nil {
		s.Edit(folder).Indexer = &progress.State{Phase: progress.Scanning}
	}
}

// RecordQuestion records which folders a query that started at the given time could confirm: everything
// saved in them before is indexed.
func (s *Snapshot) RecordQuestion(asked time.Time, isUnconfirmed func(folder int) bool) {
	s.Folders = slices.Clone(s.Folders)
	for i := range s.Folders {
		last := &s.Folders[i].confirmedAt
		if isUnconfirmed(i) {
			last = &s.Folders[i].unconfirmedAt
		}
		if asked.After(*last) {
			*last = asked
		}
	}
}

// hasUnconfirmedSaves reports whether a saved file may not be searchable yet.
func (f Folder) hasUnconfirmedSaves() bool { return f.unconfirmedAt.After(f.confirmedAt) }

// IsBehind reports whether the index is not, or may not be, up to date.
func (s Snapshot) IsBehind() bool {
	return s.State.IsBehind() || s.State.Failure != "" || s.State.WriteRefusal != "" || slices.ContainsFunc(s.Folders, Folder.hasUnconfirmedSaves)
}

// MayMissDocuments reports whether some documents may not be indexed yet.
func (s Snapshot) MayMissDocuments() bool {
	return s.IsBehind() || len(s.ThrottledFiles) > 0 || slices.ContainsFunc(s.Folders, func(f Folder) bool {
		_, isSilent := f.silentIndexerNote()
		return isSilent || f.Mismatch != nil
	})
}

// IsRunOver reports whether the folders have been compared with the index once and no run is in
// progress, or something has failed. Files may still be read in the background.
func (s Snapshot) IsRunOver() bool {
	return s.State.Phase == progress.Failed || s.State.Failure != "" || !s.State.Synced.IsZero() && s.State.IsIdle()
}

// AreAllMissing reports whether all folders are missing.
func (s Snapshot) AreAllMissing() bool {
	return len(s.Folders) > 0 && !slices.ContainsFunc(s.Folders, func(f Folder) bool { return f.Missing == nil })
}

// unansweredFor is how long an unanswered request is reported, unless another is recorded: the
// folder is scanned at the same interval.
const unansweredFor = time.Minute

// IsUnanswered reports whether the process that indexes the folder has recently left a request
// unanswered.
func (f Folder) IsUnanswered() bool { return time.Since(f.UnansweredSince) < unansweredFor }

var withoutRecognition = message.New("the process that indexes the folder was started with --ocr off")

// WaitingPages returns the number of scanned pages whose text is yet to be recognised. It counts
// them in the documents if a recogniser is installed, so that a response that includes a document
// also counts its pages, even before any process starts to recognise them. In a folder whose
// process has recognition disabled, they stay unrecognised.
func (s Snapshot) WaitingPages() progress.PagesToRecognise {
	pages := s.State.PagesToRecognise
	if !s.HasRecogniser {
		return pages
	}
	pages.Left = -pages.GivenUp
	for _, f := range s.Folders {
		pages.Left += f.UnrecognisedPages
		if f.UnrecognisedPages > 0 && f.Indexer != nil && f.Indexer.PagesToRecognise.Off {
			pages.Failure = cmp.Or(pages.Failure, withoutRecognition)
		}
	}
	pages.Left = max(0, pages.Left)
	return pages
}

// Change is the difference between two moments.
type Change struct {
	Snapshot      // the later one
	MayMiss  bool // whether a response between the two may lack documents that are not indexed yet or were lost
	CaughtUp bool // whether the same query may find more now than at the earlier moment
}

// Since returns what has changed since before was taken, at the start of a query. isLost reports
// whether the query itself found that documents had been lost.
func (s Snapshot) Since(before Snapshot, isLost bool) Change {
	isLost = isLost || before.IndexLosses != s.IndexLosses
	wasBehind := before.IsBehind()
	return Change{s, wasBehind || isLost || s.MayMissDocuments(), isLost || wasBehind && !s.IsBehind()}
}
