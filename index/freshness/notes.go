package freshness

import (
	"vademecum/index/progress"
	"vademecum/index/say"
	"vademecum/index/search"
)

// Notes tells what answers may miss now.
func (f *Freshness) Notes() []say.Note {
	return append(f.notes(true), f.lateNote(f.from.Late())...)
}

// notes is Notes, but for files that change all the time, and for why the model fails
// unless reason says so.
func (f *Freshness) notes(reason bool) []say.Note {
	s := f.State()
	notes := f.workNotes(s)
	if s.Slow > 0 {
		notes = append(notes, say.Note{Kind: say.DatabaseSlow, For: s.Slow})
	}
	if !s.IsStuck() { // else nobody can be heard
		notes = append(notes, f.unheard()...)
	}
	for i := range f.from.Folders {
		notes = append(notes, f.folderNotes(i)...)
	}
	if s.Unwatched != "" && f.areScansSlow() {
		notes = append(notes, say.Note{Kind: say.Unwatched, For: f.SweepPause(), Why: s.Unwatched})
	}
	if !s.Behind() {
		notes = append(notes, f.unembeddedNote(s, reason)...)
	}
	return notes
}

// workNotes tells what keeps the index from being up to date, if something does.
func (f *Freshness) workNotes(s progress.State) []say.Note {
	switch {
	case s.IsStuck():
		return f.Stuck()
	case s.Failure != "":
		return []say.Note{{Kind: say.RunFailed, Why: s.Failure}}
	case s.Phase == progress.Indexing:
		return []say.Note{{Kind: say.BeingBuilt, Done: s.Done, Total: s.Total, For: s.Left()}}
	case s.Behind() && f.areAllMissing(): // which folderNotes tells
	case s.Behind():
		return []say.Note{{Kind: say.BeingScanned}}
	case f.isInDoubt():
		return []say.Note{{Kind: say.NotCompared}}
	}
	return nil
}

// Stuck tells why nothing new comes to the index, if the database is the reason.
func (f *Freshness) Stuck() []say.Note {
	switch s := f.State(); {
	case s.Away:
		return []say.Note{{Kind: say.DatabaseAway}}
	case s.Cut:
		return []say.Note{{Kind: say.DatabaseAway, Why: s.Failure}}
	case s.Refused != "":
		return []say.Note{{Kind: say.DatabaseRefuses, Why: s.Refused}}
	}
	return nil
}

// folderNotes tells what is the matter with a folder.
func (f *Freshness) folderNotes(folder int) (notes []say.Note) {
	if unlike := f.Mismatch(folder); unlike != nil {
		notes = append(notes, *unlike)
	}
	return append(notes, f.Gone(folder)...)
}

// Gone tells that a folder does not answer, is not there, or is another one at its path
// now, so that what is read of it is from before.
func (f *Freshness) Gone(folder int) []say.Note {
	at := f.from.Folders[folder]
	since, missing := at.Silent(), at.Missing()
	switch {
	case since > 0:
		return []say.Note{{Kind: say.FolderSilent, Path: at.Dir(), For: since}}
	case missing != nil:
		return []say.Note{f.missingNote(folder, missing)}
	}
	return f.Strayed(folder)
}

// Strayed tells that the path by which a folder was given leads elsewhere now, if it
// does. Its index is that of the folder: what the path leads to now has one of its own.
func (f *Freshness) Strayed(folder int) []say.Note {
	at := f.from.Folders[folder]
	why := at.Strayed()
	if why == "" {
		return nil
	}
	return []say.Note{{Kind: say.FolderStrayed, Why: why, Path: at.Real()}}
}

func (f *Freshness) areScansSlow() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.scans.took() > quickScan
}

// unheard tells what is the matter with the processes that index the folders. Of those
// that nobody indexes it tells once.
func (f *Freshness) unheard() (notes []say.Note) {
	var alone []string
	for i, at := range f.from.Folders {
		switch n, ok := f.unheardIndexer(i); {
		case ok && n.Kind == say.NobodyIndexes:
			alone = append(alone, at.Home.Short())
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
	return append(notes, say.Note{Kind: say.NobodyIndexes, Words: alone})
}

// unheardIndexer tells that the process that indexes a folder, another one, may be
// stopped, if there is a reason to think so.
func (f *Freshness) unheardIndexer(folder int) (n say.Note, ok bool) {
	if c := f.from.Store.Follower(folder); c == nil || c.Health().IsUnsaved() {
		return n, false
	}
	f.mu.Lock()
	known := f.folders[folder]
	f.mu.Unlock()
	if known.unindexed {
		return say.Note{Kind: say.NobodyIndexes}, true
	}
	n.PID, n.For = known.process, f.from.Folders[folder].Home.Indexing().Silence()
	switch {
	case n.For > 0:
		n.Kind = say.ProcessSilent
	case known.isOwed():
		n.Kind = say.ProcessBehind
	}
	return n, n.Kind != ""
}

// lateNote says which files have changed and are not read yet, as they change all
// the time.
func (f *Freshness) lateNote(late []search.Location) []say.Note {
	if len(late) == 0 {
		return nil
	}
	return []say.Note{{Kind: say.AtIntervals, Path: f.from.Folders.Show(late[0]), Count: len(late) - 1}}
}

// unembeddedNote tells how many passages have no vector of the model, and why.
func (f *Freshness) unembeddedNote(s progress.State, reason bool) []say.Note {
	chunks, bare := f.from.Store.CountChunks()
	if bare == 0 || f.from.Store.Model.Free {
		return nil
	}
	n := say.Note{Kind: say.WithoutVector, Count: bare, Total: chunks}
	if len(f.from.Store.Pending()) == 0 {
		n.Kind = say.VectorsRefused
	}
	if _, n.For = s.EmbedPace(); reason {
		n.Why = s.EmbedFailure
	}
	return []say.Note{n}
}
