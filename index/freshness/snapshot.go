// Package freshness describes how far an index is behind the files of its folders. A Snapshot holds
// all that is known about that at one moment; its methods tell whether a response may lack documents,
// and which notes it needs. Package sync changes and publishes it after each step.
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

// Snapshot describes how far an index is behind its folders at one moment. A copy does not change
// when the original does.
type Snapshot struct {
	// State is the combined state of all processes on the folders. Publisher derives it from the
	// following fields.
	State    progress.State
	OwnState progress.State // state of this process alone
	Folders  []Folder       // by folder; changed only in a copy, see editFolder

	run, background fileCounts // files that this process has to read: in the current run, and in the background
	isRunning       bool       // a run is in progress
	scans           scanTimes

	FullScanStartedAt time.Time // start of the last scan of all folders that this process indexes; zero if there was none

	HasLoaded          bool      // loading the index has ended, possibly with LoadError
	LoadError          error     // why loading failed; nil if it did not
	IsStorageReached   bool      // a catalogue was opened or refused, so the storage has responded
	IsMaintaining      bool      // the maintenance loop runs: it follows other processes and logs problems with the database; commands have none
	HasRecogniser      bool      // a program that recognises the text of scanned pages is installed
	IndexLosses        int       // number of times that an index was lost and replaced
	MemoryReloadedAt   time.Time // last time that memory was loaded again after a panic
	HasSpareMemory     bool      // much memory was needed since it was last released
	DocumentChanges    int       // number of times that documents may have changed
	followError        message.Message
	isCutOff, isAbsent bool // the database is unavailable, or even unreachable; see progress.State

	Contents // zero until package sync has examined the index
}

// Contents counts the chunks of the index, and lists the files that it does not reflect yet.
type Contents struct {
	Chunks             int
	UnembeddedChunks   int               // chunks that need a vector from the model and have none; 0 if the model computes vectors at no cost
	HasPendingChunks   bool              // some of the unembedded chunks have not been refused by the model
	ThrottledFiles     []search.Location // files whose latest changes are not read yet, because they change all the time
	FirstThrottledFile string            // path of the first throttled file, as shown to users
}

// Folder describes one folder: which processes index and embed it, and why it may not be up to date.
type Folder struct {
	IndexerState     *progress.State             // progress of the process that indexes it; nil if this process does
	IndexerPID       int                         // process ID of the process that indexes it; 0 if unknown
	EmbedderProgress *progress.EmbeddingProgress // progress of the process that embeds it; nil if this process does

	LacksIndexer    bool      // no process indexes it, and this one cannot
	IndexerSoughtAt time.Time // when LacksIndexer was last determined
	// when a query was last answered before the indexer had fulfilled its request; zero if never
	LastUnansweredRequest    time.Time
	UnwatchedReason          message.Message // why not all of it is watched for changes; "" if it is
	IsUncomparedSinceAbsence bool            // it was missing or did not respond, and has not been compared with its index since
	MismatchNote             *notice.Note    // why this process does not index it: its files are not those of the library; nil if it does
	MismatchFoundAt          time.Time       // when that was last found; zero if MismatchNote is nil
	ConfirmedMatch           *MatchBasis     // on which basis its files were found to be those of the library; nil if they were not
	UnusedModel              string          // model of its library whose vectors are not used; "" if there is none
	ReplaceAttemptedAt       time.Time       // when this process last tried to replace its catalogue; zero if that succeeded
	// Start of the latest query that found everything indexed, and of the latest that could not
	// confirm that in time. What a later query found also holds for earlier ones, but not vice versa.
	confirmedAt, unconfirmedAt time.Time

	FolderObservation // zero until package sync has examined the folder
}

// FolderObservation is the state of a folder and of its storage when they were last examined.
type FolderObservation struct {
	Dir, RealPath     string
	StorageName       message.Message // short name of the storage
	MissingError      error           // why the folder is missing; nil if it is there
	UnresponsiveFor   time.Duration   // how long its file system has not answered; 0 if it answers
	MovedMessage      message.Message // says where its path leads now, if to another folder; "" otherwise
	IsIndexPersistent bool            // its index is loaded and stored outside of this process, so that another process may update it
	// how long the process that indexes it has shown no sign of life; 0 if that is not worth reporting
	IndexerUnresponsiveFor time.Duration
	Documents              int // number of its documents, including those without text
	UnrecognisedPages      int
}

// editFolder replaces Folders by a copy, and returns the given folder in it, which may be changed.
func (s *Snapshot) editFolder(folder int) *Folder {
	s.Folders = slices.Clone(s.Folders)
	return &s.Folders[folder]
}

// combine sets State to the combined state of all processes, and State.Since to the time when its
// phase stopped being Ready.
func (s *Snapshot) combine() {
	before, since := s.State.Phase, s.State.Since
	s.OwnState.UnwatchedReason = ""
	for i := range s.Folders {
		s.OwnState.UnwatchedReason = cmp.Or(s.OwnState.UnwatchedReason, s.Folders[i].UnwatchedReason)
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

// combined returns the state of this process combined with the states of the processes that index or
// embed some of the folders in its place.
func (s *Snapshot) combined() progress.State {
	all := s.OwnState
	all.IsDatabaseUnavailable, all.IsDatabaseUnreachable = s.isCutOff, s.isAbsent
	if all.Phase == progress.Failed {
		return all
	}
	if !slices.ContainsFunc(s.Folders, func(f Folder) bool { return f.IndexerState == nil }) { // this process indexes none
		all.Phase, all.FilesDone, all.FilesTotal, all.ReadsInBackground, all.Synced, all.Failure = progress.Ready, 0, 0, false, time.Now(), ""
		all.RemoveDone, all.RemoveTotal = 0, 0
		all.PagesToRecognise = progress.PagesToRecognise{}
	}
	all.Failure = cmp.Or(all.Failure, s.followError)
	for i := range s.Folders {
		if other := s.Folders[i].IndexerState; other != nil {
			all = all.Combined(*other)
		}
		if e := s.Folders[i].EmbedderProgress; e != nil {
			all.IsPeerEmbeddingDue = all.IsPeerEmbeddingDue || e.IsEmbeddingDue
			all.EmbedDone, all.EmbedTotal = all.EmbedDone+e.Done, all.EmbedTotal+e.Total
			all.EmbedFailure = cmp.Or(all.EmbedFailure, message.Message(e.Failure))
			if all.EmbedSince.IsZero() || !e.Since.IsZero() && e.Since.Before(all.EmbedSince) {
				all.EmbedSince = e.Since
			}
		}
	}
	return all
}

// SetFollowError records why this process cannot follow the stored index; nil means that it can.
func (s *Snapshot) SetFollowError(err error) {
	s.isAbsent = errors.Is(err, catalog.ErrDatabaseUnreachable)
	s.isCutOff = s.isAbsent || errors.Is(err, catalog.ErrSetupRequired)
	s.followError = message.FromError(err)
}

// ResetFolder resets the progress of a folder after its catalogue was lost.
func (s *Snapshot) ResetFolder(folder int) {
	s.OwnState.Phase, s.OwnState.Synced = progress.Scanning, time.Time{}
	if s.Folders[folder].IndexerState != nil {
		s.editFolder(folder).IndexerState = &progress.State{Phase: progress.Scanning}
	}
}

// RecordQuestion records for each folder whether a query that started at the given time has confirmed that
// everything saved in the folder before then is indexed.
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
		return isSilent || f.MismatchNote != nil
	})
}

// IsRunOver reports whether the folders have been compared with the index once and no run is in
// progress, or something has failed. Files may still be read in the background.
func (s Snapshot) IsRunOver() bool {
	return s.State.Phase == progress.Failed || s.State.Failure != "" || !s.State.Synced.IsZero() && s.State.IsIdle()
}

// areAllMissing reports whether all folders are missing.
func (s Snapshot) areAllMissing() bool {
	return len(s.Folders) > 0 && !slices.ContainsFunc(s.Folders, func(f Folder) bool { return f.MissingError == nil })
}

// unansweredFor is how long an unanswered request is reported, unless another is recorded: the
// folder is scanned at the same interval.
const unansweredFor = time.Minute

// HasUnansweredRequest reports whether the process that indexes the folder has recently left a request
// unanswered.
func (f Folder) HasUnansweredRequest() bool {
	return time.Since(f.LastUnansweredRequest) < unansweredFor
}

var withoutRecognition = message.New("the process that indexes the folder was started with --ocr off")

// PagesToRecognise returns the number of scanned pages whose text is yet to be recognised. It counts
// them in the documents if a recogniser is installed, so that a response that includes a document
// also counts its pages, even before any process starts to recognise them. In a folder whose
// process has recognition disabled, they stay unrecognised.
func (s Snapshot) PagesToRecognise() progress.PagesToRecognise {
	pages := s.State.PagesToRecognise
	if !s.HasRecogniser {
		return pages
	}
	pages.Left = -pages.GivenUp
	for _, f := range s.Folders {
		pages.Left += f.UnrecognisedPages
		if f.UnrecognisedPages > 0 && f.IndexerState != nil && f.IndexerState.PagesToRecognise.IsOff {
			pages.Failure = cmp.Or(pages.Failure, withoutRecognition)
		}
	}
	pages.Left = max(0, pages.Left)
	return pages
}

// SnapshotChange is the change of a Snapshot during a query.
type SnapshotChange struct {
	Snapshot           // the state at the end of the query
	MayHaveMissed bool // the response may lack documents that were not indexed yet or were lost
	HasCaughtUp   bool // the same query may find more now than when it began
}

// Since returns the change since the Snapshot before, which was taken at the start of a query.
// hasLostDocuments means that the query itself found that documents had been lost.
func (s Snapshot) Since(before Snapshot, hasLostDocuments bool) SnapshotChange {
	hasLostDocuments = hasLostDocuments || before.IndexLosses != s.IndexLosses
	wasBehind := before.IsBehind()
	return SnapshotChange{s, wasBehind || hasLostDocuments || s.MayMissDocuments(), hasLostDocuments || wasBehind && !s.IsBehind()}
}
