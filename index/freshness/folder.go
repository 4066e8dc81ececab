package freshness

import (
	"cmp"
	"time"

	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// folderState is what was reported one folder, apart from what this process does itself.
type folderState struct {
	indexer  *progress.State    // of the process that indexes it instead; nil: this one does
	embedder *progress.Embedder // the process that embeds it instead; nil: this one does
	process  int                // number of the process that indexes it, 0 while it is not known

	unindexed       bool            // nobody indexes it, and this process cannot
	unansweredSince time.Time       // when a question was answered although the process that indexes it had something to do first; zero: never
	unwatched       message.Message // why it is not watched as a whole, "" if it is
	absent          bool            // it was not there and has not been compared since
	mismatch        *notice.Note    // why this process leaves it alone; nil: it does not
}

// SetIndexer notes how far another process is that indexes a folder; nil when
// this one does.
func (t *Tracker) SetIndexer(folder int, s *progress.State) {
	t.update(func(*progress.State) { t.folders[folder].indexer = s })
}

// SetHasRecogniser notes whether there is a program here that recognises the text of scanned pages.
func (t *Tracker) SetHasRecogniser(isThere bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hasRecogniser = isThere
}

// SetAwaited notes which other process this one waits for, "" if it does not.
func (t *Tracker) SetAwaited(which message.Message) {
	t.update(func(s *progress.State) { s.Awaits = which })
}

// foldersOfProcessesWithoutRecognition lists the folders that other processes index which recognise
// no text.
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

// SetIndexerPID notes the number of the process that indexes a folder.
func (t *Tracker) SetIndexerPID(folder, pid int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.folders[folder].process = pid
}

// SetEmbedder notes how far another process is that embeds a folder; nil when
// this one does.
func (t *Tracker) SetEmbedder(folder int, e *progress.Embedder) {
	t.update(func(*progress.State) { t.folders[folder].embedder = e })
}

// EmbeddedByOthers is the set of folders that other processes embed.
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

// SetUnwatched notes why a folder is not watched as a whole, "" when it is.
func (t *Tracker) SetUnwatched(folder int, why message.Message) {
	t.update(func(s *progress.State) {
		t.folders[folder].unwatched, s.Unwatched = why, ""
		for i := range t.folders {
			s.Unwatched = cmp.Or(s.Unwatched, t.folders[i].unwatched)
		}
	})
}

// SetHasIndexer notes whether any process indexes a folder that this one cannot index.
func (t *Tracker) SetHasIndexer(folder int, hasIndexer bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.folders[folder].unindexed = !hasIndexer
}

// LacksIndexer reports whether none does.
func (t *Tracker) LacksIndexer(folder int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.folders[folder].unindexed
}

// SetUnanswered notes that something that was asked of the process that indexes a folder is not
// done, or that nothing is left to do.
func (t *Tracker) SetUnanswered(folder int, unanswered bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := &t.folders[folder]
	if f.unansweredSince = (time.Time{}); unanswered {
		f.unansweredSince = time.Now()
	}
}

// unansweredFor is how long what is owed is told, unless it is noted again: the folder is
// looked through as often.
const unansweredFor = time.Minute

// IsUnanswered reports whether that was noted not long ago.
func (t *Tracker) IsUnanswered(folder int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.folders[folder].isUnanswered()
}

func (f *folderState) isUnanswered() bool { return time.Since(f.unansweredSince) < unansweredFor }

// SetMismatch notes why this process does not index a folder: it has not the files of
// its library. nil: it does.
func (t *Tracker) SetMismatch(folder int, why *notice.Note) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.folders[folder].mismatch = why
}

// Mismatch reports why this process leaves a folder alone, nil when it does not.
func (t *Tracker) Mismatch(folder int) *notice.Note {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.folders[folder].mismatch
}

// SetMissing notes that a folder is not there.
func (t *Tracker) SetMissing(folder int) { t.setAbsent(folder, true) }

// RecordCompared notes that a folder was compared as a whole with what is held of it.
func (t *Tracker) RecordCompared(folder int) { t.setAbsent(folder, false) }

func (t *Tracker) setAbsent(folder int, absent bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.folders[folder].absent = absent
}

// IsAbsent reports whether a folder was not there and has not been compared since.
func (t *Tracker) IsAbsent(folder int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.folders[folder].absent
}
