package freshness

import (
	"maps"
	"slices"

	"vademecum/docs"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// WaitingScans returns the number of scanned pages whose text is yet to be recognised.
func (f *Freshness) WaitingScans() progress.PagesToRecognise {
	return f.waitingScans(f.State().PagesToRecognise)
}

// waitingScans counts these pages in the documents if a recogniser is installed, so that a response
// that includes a document also counts its pages, even before any process starts to recognise them.
// In a folder whose process has recognition disabled, they stay unrecognised.
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

// scannedCount is the number of unrecognised pages per folder at a change number of the store.
type scannedCount struct {
	written uint64
	pages   map[int]int
}

// countScanned counts the unrecognised pages of each folder. The result is cached until the next
// change, because every response needs it.
func (f *Freshness) countScanned() map[int]int {
	now := scannedCount{written: f.from.Store.ChangeNumber(), pages: make(map[int]int)}
	if last := f.scanned.Load(); last != nil && last.written == now.written {
		return last.pages
	}
	for _, d := range f.from.Store.All() {
		if n := docs.CountUnrecognisedPages(d.Note, d.Skip); n > 0 {
			now.pages[d.Folder] += n
		}
	}
	f.scanned.Store(&now)
	return now.pages
}
