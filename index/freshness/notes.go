package freshness

import (
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// Notes returns notes about what responses may lack now.
func (f *Freshness) Notes() []notice.Note {
	return append(f.notes(true), f.lateNote(f.from.ThrottledFiles())...)
}

// notes is Notes without the files that change all the time. It includes the reason why the model
// fails only if reason is set.
func (f *Freshness) notes(reason bool) []notice.Note {
	s := f.State()
	notes := f.workNotes(s)
	if s.DatabaseLatency > 0 {
		notes = append(notes, notice.Note{Kind: notice.DatabaseSlow, Duration: s.DatabaseLatency})
	}
	if !s.IsStuck() { // otherwise no process can report
		notes = append(notes, f.silentIndexerNotes()...)
	}
	for i := range f.from.Folders {
		notes = append(notes, f.folderNotes(i)...)
	}
	if s.Unwatched != "" && f.areScansSlow() {
		notes = append(notes, notice.Note{Kind: notice.FolderUnwatched, Duration: f.RescanDelay(), Why: s.Unwatched})
	}
	if scans := f.waitingScans(s.PagesToRecognise); scans.Left > 0 {
		notes = append(notes, notice.Note{Kind: notice.PagesToRecognise, Count: scans.Left, Duration: scans.TimeLeft(), Why: scans.Failure})
	}
	if !s.IsBehind() {
		notes = append(notes, f.unembeddedNote(s, reason)...)
	}
	return notes
}

// workNotes returns notes about why the index is not up to date, if it is not.
func (f *Freshness) workNotes(s progress.State) []notice.Note {
	switch {
	case s.IsStuck():
		return f.StuckNotes()
	case s.Failure != "":
		return []notice.Note{{Kind: notice.IndexingFailed, Why: s.Failure}}
	case s.Phase == progress.Indexing:
		return []notice.Note{{Kind: notice.IndexBeingBuilt, Done: s.Done, Total: s.Total, Duration: s.TimeLeft()}}
	case s.IsBehind() && f.areAllMissing(): // folderNotes reports it
	case s.IsBehind():
		return []notice.Note{{Kind: notice.FolderBeingScanned}}
	case f.hasUnconfirmedSaves():
		return []notice.Note{{Kind: notice.NotCompared}}
	}
	return nil
}

// StuckNotes returns notes about why the index cannot be updated, if the database is the reason.
func (f *Freshness) StuckNotes() []notice.Note {
	switch s := f.State(); {
	case s.IsDatabaseUnreachable:
		return []notice.Note{{Kind: notice.DatabaseUnavailable}}
	case s.IsDatabaseUnavailable:
		return []notice.Note{{Kind: notice.DatabaseUnavailable, Why: s.Failure}}
	case s.Refused != "":
		return []notice.Note{{Kind: notice.DatabaseReadOnly, Why: s.Refused}}
	}
	return nil
}

// folderNotes returns notes about the problems of a folder.
func (f *Freshness) folderNotes(folder int) (notes []notice.Note) {
	if mismatch := f.Mismatch(folder); mismatch != nil {
		notes = append(notes, *mismatch)
	}
	return append(notes, f.UnavailableNotes(folder)...)
}

// UnavailableNotes returns notes about whether a folder does not respond, is missing or was
// replaced by another at its path, so that its index is outdated.
func (f *Freshness) UnavailableNotes(folder int) []notice.Note {
	at := f.from.Folders[folder]
	since, missing := at.UnresponsiveFor(), at.Missing()
	switch {
	case since > 0:
		return []notice.Note{{Kind: notice.FolderUnresponsive, Path: at.Dir(), Duration: since}}
	case missing != nil:
		return []notice.Note{f.missingNote(folder, missing)}
	}
	return f.PathRedirectNotes(folder)
}

// PathRedirectNotes returns a note if the path by which a folder was specified now leads elsewhere.
// The index remains that of the original folder; the new target of the path has its own index.
func (f *Freshness) PathRedirectNotes(folder int) []notice.Note {
	at := f.from.Folders[folder]
	why := at.PathMovedNote()
	if why == "" {
		return nil
	}
	return []notice.Note{{Kind: notice.FolderPathRedirected, Why: why, Path: at.RealPath()}}
}

func (f *Freshness) areScansSlow() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.scans.typicalDuration() > quickScan
}

// silentIndexerNotes returns notes about problems of the processes that index the folders. Folders
// without an indexer share one note.
func (f *Freshness) silentIndexerNotes() (notes []notice.Note) {
	var alone []message.Message
	for i, at := range f.from.Folders {
		switch n, ok := f.silentIndexerNote(i); {
		case ok && n.Kind == notice.NoIndexer:
			alone = append(alone, at.Storage.Describe().ShortName)
		case ok:
			notes = append(notes, n)
		}
	}
	switch len(alone) {
	case 0:
		return notes
	case len(f.from.Folders):
		alone = nil
	}
	return append(notes, notice.Note{Kind: notice.NoIndexer, Of: alone})
}

// silentIndexerNote returns a note that the other process that indexes a folder may have stopped,
// if there is a reason to assume so.
func (f *Freshness) silentIndexerNote(folder int) (n notice.Note, ok bool) {
	if c := f.from.Store.Follower(folder); c == nil || c.Describe().IsUnsaved() {
		return n, false
	}
	f.mu.Lock()
	known := f.folders[folder]
	f.mu.Unlock()
	if known.unindexed {
		return notice.Note{Kind: notice.NoIndexer}, true
	}
	n.PID, n.Duration = known.process, f.from.Folders[folder].Storage.IndexingLease().HolderUnresponsiveFor()
	switch {
	case n.Duration > 0:
		n.Kind = notice.IndexerUnresponsive
	case known.isUnanswered():
		n.Kind = notice.IndexerBehind
	}
	return n, n.Kind != ""
}

// lateNote returns a note about files whose latest changes are not read yet because they change all
// the time.
func (f *Freshness) lateNote(late []search.Location) []notice.Note {
	if len(late) == 0 {
		return nil
	}
	return []notice.Note{{Kind: notice.ReadAtIntervals, Path: f.from.Folders.ShownPath(late[0]), Count: len(late) - 1}}
}

// unembeddedNote returns a note on how many passages have no vector of the model, and why.
func (f *Freshness) unembeddedNote(s progress.State, reason bool) []notice.Note {
	chunks, unembedded := f.from.Store.CountChunks()
	if unembedded == 0 || f.from.Store.Model.IsCheapToCompute {
		return nil
	}
	n := notice.Note{Kind: notice.PassagesWithoutVector, Count: unembedded, Total: chunks}
	if len(f.from.Store.PendingDocuments()) == 0 {
		n.Kind = notice.PassagesRefusedByModel
	}
	if _, n.Duration = s.EmbedPace(); reason {
		n.Why = s.EmbedFailure
	}
	return []notice.Note{n}
}
