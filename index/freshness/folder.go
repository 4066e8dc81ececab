package freshness

import (
	"cmp"
	"time"

	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// folderState is the state of a folder that does not depend on the work of this process.
type folderState struct {
	indexer  *progress.State    // progress of the process that indexes it; nil if this process does
	embedder *progress.Embedder // progress of the process that embeds it; nil if this process does
	process  int                // PID of the process that indexes the folder; 0 if unknown

	unindexed bool // no process indexes the folder, and this one cannot
	// unansweredSince is when a query was last answered before the indexer had fulfilled its
	// request; zero if never.
	unansweredSince time.Time
	unwatched       message.Message // why the folder is not watched as a whole; "" if it is
	absent          bool            // the folder was missing and has not been compared since
	mismatch        *notice.Note    // why this process does not index the folder; nil if it does
}

// SetIndexer records the progress of another process that indexes a folder; nil means that this
// process indexes it.
func (t *Tracker) SetIndexer(folder int, s *progress.State) {
	t.update(func(*progress.State) { t.folders[folder].indexer = s })
}

// SetHasRecogniser records whether a program that recognises the text of scanned pages is
// installed.
func (t *Tracker) SetHasRecogniser(isThere bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hasRecogniser = isThere
}

// SetWaitingFor records which other process this one is waiting for; "" if none.
func (t *Tracker) SetWaitingFor(which message.Message) {
	t.update(func(s *progress.State) { s.WaitingFor = which })
}

// foldersOfProcessesWithoutRecognition lists the folders indexed by other processes with text
// recognition disabled.
func (t *Tracker) foldersOfProcessesWithoutRecognition() (folders []int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.folders {
		if other := t.folders[i].indexer; other != nil && other.PagesToRecognise.Off {
			folders = append(folders, i)
		}
	}
	return folders
}

// SetIndexerPID records the PID of the process that indexes a folder.
func (t *Tracker) SetIndexerPID(folder, pid int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.folders[folder].process = pid
}

// SetEmbedder records the progress of another process that embeds a folder; nil means that this
// process embeds it.
func (t *Tracker) SetEmbedder(folder int, e *progress.Embedder) {
	t.update(func(*progress.State) { t.folders[folder].embedder = e })
}

// EmbeddedByOthers returns the set of folders that other processes embed.
func (t *Tracker) EmbeddedByOthers() map[int]bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	others := make(map[int]bool)
	for i := range t.folders {
		if t.folders[i].embedder != nil {
			others[i] = true
		}
	}
	return others
}

// SetUnwatched records why a folder is not watched as a whole; "" if it is.
func (t *Tracker) SetUnwatched(folder int, why message.Message) {
	t.update(func(s *progress.State) {
		t.folders[folder].unwatched, s.Unwatched = why, ""
		for i := range t.folders {
			s.Unwatched = cmp.Or(s.Unwatched, t.folders[i].unwatched)
		}
	})
}

// SetHasIndexer records whether any process indexes a folder that this one cannot index.
func (t *Tracker) SetHasIndexer(folder int, hasIndexer bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.folders[folder].unindexed = !hasIndexer
}

// LacksIndexer reports whether no process indexes a folder.
func (t *Tracker) LacksIndexer(folder int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.folders[folder].unindexed
}

// SetUnanswered records whether the process that indexes a folder has left a request unanswered.
func (t *Tracker) SetUnanswered(folder int, unanswered bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := &t.folders[folder]
	if f.unansweredSince = (time.Time{}); unanswered {
		f.unansweredSince = time.Now()
	}
}

// unansweredFor is how long an unanswered request is reported, unless another is recorded: the
// folder is scanned at the same interval.
const unansweredFor = time.Minute

// IsUnanswered reports whether a request was recently recorded as unanswered.
func (t *Tracker) IsUnanswered(folder int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.folders[folder].isUnanswered()
}

func (f *folderState) isUnanswered() bool { return time.Since(f.unansweredSince) < unansweredFor }

// SetMismatch records why this process does not index a folder: its files are not those of the
// library. nil means that it indexes the folder.
func (t *Tracker) SetMismatch(folder int, why *notice.Note) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.folders[folder].mismatch = why
}

// Mismatch returns why this process does not index a folder, or nil if it does.
func (t *Tracker) Mismatch(folder int) *notice.Note {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.folders[folder].mismatch
}

// SetMissing records that a folder is missing.
func (t *Tracker) SetMissing(folder int) { t.setAbsent(folder, true) }

// RecordCompared records that a whole folder was compared with its index.
func (t *Tracker) RecordCompared(folder int) { t.setAbsent(folder, false) }

func (t *Tracker) setAbsent(folder int, absent bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.folders[folder].absent = absent
}

// IsUncomparedSinceMissing reports whether a folder was missing and has not been compared since.
func (t *Tracker) IsUncomparedSinceMissing(folder int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.folders[folder].absent
}
