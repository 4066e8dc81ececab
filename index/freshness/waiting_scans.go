package freshness

import (
	"maps"
	"slices"

	"vademecum/docs"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// WaitingScans returns how many scanned pages wait for their text to be recognised.
func (f *Freshness) WaitingScans() progress.PagesToRecognise {
	return f.waitingScans(f.State().PagesToRecognise)
}

// waitingScans counts them in the documents, where a program that recognises text is installed:
// an answer that knows a document knows its pages too, before any process recognises them. In a
// folder whose process recognises no text, they wait in vain.
func (f *Freshness) waitingScans(s progress.PagesToRecognise) progress.PagesToRecognise {
	f.mu.Lock()
	hasRecogniser := f.hasRecogniser
	f.mu.Unlock()
	if !hasRecogniser {
		return s
	}
	pages := f.countScanned()
	s.Left = -s.GivenUp
	for n := range maps.Values(pages) {
		s.Left += n
	}
	s.Left = max(0, s.Left)
	if s.Failure == "" && slices.ContainsFunc(f.foldersOfProcessesWithoutRecognition(), func(folder int) bool { return pages[folder] > 0 }) {
		s.Failure = withoutRecognition
	}
	return s
}

var withoutRecognition = message.New("the process that indexes the folder was started with --ocr off")

// scannedCount is how many pages of each folder wait, as of a number of changes of the documents.
type scannedCount struct {
	written uint64
	pages   map[int]int
}

// countScanned counts the pages of each folder that are not recognised yet, once after each
// change: every answer needs the count.
func (f *Freshness) countScanned() map[int]int {
	now := scannedCount{written: f.from.Store.ChangeNumber(), pages: make(map[int]int)}
	if last := f.scanned.Load(); last != nil && last.written == now.written {
		return last.pages
	}
	for _, d := range f.from.Store.All() {
		if n := docs.CountScanned(d.Note, d.Skip); n > 0 {
			now.pages[d.Folder] += n
		}
	}
	f.scanned.Store(&now)
	return now.pages
}
