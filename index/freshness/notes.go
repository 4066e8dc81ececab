package freshness

import (
	"slices"

	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// AllNotes returns notes about what responses may lack.
func (s Snapshot) AllNotes() []notice.Note {
	return append(s.Notes(true), s.ThrottledFilesNotes()...)
}

// Notes returns notes about what responses may lack, except for the one about files that change all
// the time. The note about passages without a vector has the reason why the embedding model fails
// only if withEmbedFailure is set, because that may have been reported already.
func (s Snapshot) Notes(withEmbedFailure bool) []notice.Note {
	notes := s.workNotes()
	if s.State.DatabaseLatency > 0 {
		notes = append(notes, notice.Note{Kind: notice.DatabaseSlow, Duration: s.State.DatabaseLatency})
	}
	if !s.State.IsStuck() { // otherwise no process can report
		notes = append(notes, s.silentIndexerNotes()...)
	}
	for _, f := range s.Folders {
		if f.MismatchNote != nil {
			notes = append(notes, *f.MismatchNote)
		}
		notes = append(notes, f.unavailableNotes()...)
	}
	if s.State.UnwatchedReason != "" && s.scanDuration() > quickScan {
		notes = append(notes, notice.Note{Kind: notice.FolderUnwatched, Duration: s.CurrentRescanInterval(), Why: s.State.UnwatchedReason})
	}
	if pages := s.PagesToRecognise(); pages.Left > 0 {
		notes = append(notes, notice.Note{Kind: notice.PagesToRecognise, Count: pages.Left, Duration: pages.TimeLeft(), Why: pages.Failure})
	}
	if s.UnembeddedChunks > 0 && !s.State.IsBehind() {
		n := notice.Note{Kind: notice.PassagesWithoutVector, Count: s.UnembeddedChunks, Total: s.Chunks}
		if !s.HasPendingChunks {
			n.Kind = notice.PassagesRefusedByModel
		}
		if _, n.Duration = s.State.EmbedPace(); withEmbedFailure {
			n.Why = s.State.EmbedFailure
		}
		notes = append(notes, n)
	}
	return notes
}

// workNotes returns notes about why the index is not up to date, if it is not.
func (s Snapshot) workNotes() []notice.Note {
	switch {
	case s.State.IsStuck():
		return s.databaseNotes()
	case s.State.Failure != "":
		return []notice.Note{{Kind: notice.IndexingFailed, Why: s.State.Failure}}
	case s.State.Phase == progress.Indexing:
		return []notice.Note{{Kind: notice.IndexBeingBuilt, Done: s.State.FilesDone, Total: s.State.FilesTotal, Duration: s.State.TimeLeft()}}
	case s.State.IsBehind() && s.areAllMissing(): // unavailableNotes reports it
	case s.State.IsBehind():
		return []notice.Note{{Kind: notice.FolderBeingScanned}}
	case slices.ContainsFunc(s.Folders, func(f Folder) bool { return f.hasUnconfirmedSaves() && f.UnresponsiveFor == 0 }): // unavailableNotes reports the others
		return []notice.Note{{Kind: notice.FreshnessUnknown}}
	}
	return nil
}

// databaseNotes returns notes about why the database prevents updates of the index; none if it does not.
func (s Snapshot) databaseNotes() []notice.Note {
	switch {
	case s.State.IsDatabaseUnreachable:
		return []notice.Note{{Kind: notice.DatabaseUnavailable}}
	case s.State.IsDatabaseUnavailable:
		return []notice.Note{{Kind: notice.DatabaseUnavailable, Why: s.State.Failure}}
	case s.State.WriteRefusal != "":
		return []notice.Note{{Kind: notice.DatabaseReadOnly, Why: s.State.WriteRefusal}}
	}
	return nil
}

// unavailableNotes returns notes if a folder does not respond, is missing, or was replaced by another
// at its path, so that its index may be outdated. The index remains that of the original folder; the
// folder that is at the path now has an index of its own.
func (f Folder) unavailableNotes() []notice.Note {
	switch {
	case f.UnresponsiveFor > 0:
		return []notice.Note{{Kind: notice.FolderUnresponsive, Path: f.Dir, Duration: f.UnresponsiveFor}}
	case f.MissingError != nil:
		return []notice.Note{MissingNote(f.Dir, f.MissingError, f.Documents)}
	case f.MovedMessage != "":
		return []notice.Note{{Kind: notice.FolderPathRedirected, Why: f.MovedMessage, Path: f.RealPath}}
	}
	return nil
}

// StalenessNotes returns notes about why the text of a document in a folder may be outdated.
func (s Snapshot) StalenessNotes(folder int) []notice.Note {
	notes := append(s.Folders[folder].unavailableNotes(), s.workNotes()...)
	if n, isSilent := s.Folders[folder].silentIndexerNote(); isSilent && !s.State.IsStuck() {
		notes = append(notes, n)
	}
	return notes
}

// MissingNote returns a note that a folder is missing, with the number of its indexed documents.
func MissingNote(folder string, cause error, documentCount int) notice.Note {
	return notice.Note{Kind: notice.FolderMissing, Path: folder, Why: message.FromError(cause), Count: documentCount}
}

// silentIndexerNotes returns notes about problems of the processes that index the folders. Folders
// without an indexer share one note.
func (s Snapshot) silentIndexerNotes() (notes []notice.Note) {
	var alone []message.Message
	for _, f := range s.Folders {
		switch n, isSilent := f.silentIndexerNote(); {
		case isSilent && n.Kind == notice.NoIndexer:
			alone = append(alone, f.StorageName)
		case isSilent:
			notes = append(notes, n)
		}
	}
	switch len(alone) {
	case 0:
		return notes
	case len(s.Folders):
		alone = nil
	}
	return append(notes, notice.Note{Kind: notice.NoIndexer, Details: alone})
}

// silentIndexerNote returns a note that the other process that indexes a folder may have stopped,
// if there is a reason to assume so.
func (f Folder) silentIndexerNote() (n notice.Note, isSilent bool) {
	switch {
	case !f.IsIndexPersistent:
		return n, false
	case f.LacksIndexer:
		return notice.Note{Kind: notice.NoIndexer}, true
	case f.IndexerUnresponsiveFor > 0:
		n.Kind = notice.IndexerUnresponsive
	case f.HasUnansweredRequest():
		n.Kind = notice.IndexerBehind
	}
	n.PID, n.Duration = f.IndexerPID, f.IndexerUnresponsiveFor
	return n, n.Kind != ""
}

// ThrottledFilesNotes returns a note about the files whose latest changes are not read yet.
func (s Snapshot) ThrottledFilesNotes() []notice.Note {
	if len(s.ThrottledFiles) == 0 {
		return nil
	}
	return []notice.Note{{Kind: notice.FileReadAtIntervals, Path: s.FirstThrottledFile, Count: len(s.ThrottledFiles) - 1}}
}
