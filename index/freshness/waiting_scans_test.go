package freshness

import (
	"fmt"
	"testing"
	"time"

	"vademecum/docs/extract"
	"vademecum/docs/meta"
	"vademecum/index/catalog"
	"vademecum/index/indextest"
	"vademecum/index/memindex"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// TestWaitingScans: pages that wait are counted in the documents, whoever indexes their folder,
// and those wait in vain whose process recognises none.
func TestWaitingScans(t *testing.T) {
	f := newFixture(t, t.TempDir(), t.TempDir())
	f.SetLoaded()
	f.SetHasRecogniser(true)
	indexer := func(scans progress.PagesToRecognise) *progress.State {
		return &progress.State{Phase: progress.Ready, Synced: time.Now(), PagesToRecognise: scans}
	}
	for _, step := range []struct {
		name          string
		first, second int             // pages of the folders
		indexer       *progress.State // of the second one
		left          int
		reason        message.Message
	}{
		{"nobody is known to index it", 3, 4, nil, 7, ""},
		{"it recognises them", 3, 4, indexer(progress.PagesToRecognise{Left: 5, Total: 9}), 7, ""},
		{"it has given up some", 3, 4, indexer(progress.PagesToRecognise{GivenUp: 4}), 3, ""},
		{"it recognises none", 3, 4, indexer(progress.PagesToRecognise{Off: true}), 7, withoutRecognition},
		{"it recognises none, and there are none", 3, 0, indexer(progress.PagesToRecognise{Off: true}), 3, ""},
	} {
		f.SetPagesToRecognise(progress.PagesToRecognise{Left: 1, Total: 1}) // which this process counted before
		f.SetIndexer(1, step.indexer)
		f.scanned.Store(&scannedCount{f.from.Store.ChangeNumber(), map[int]int{0: step.first, 1: step.second}})
		if s := f.WaitingScans(); s.Left != step.left || s.Failure != step.reason || s.Off {
			t.Errorf("%s: there are %+v, want %d, %q", step.name, s, step.left, step.reason)
		}
	}
	f.SetHasRecogniser(false)
	f.SetIndexer(1, indexer(progress.PagesToRecognise{Left: 5}))
	if s := f.WaitingScans(); s.Left != 6 {
		t.Errorf("where there is no program, there are %+v, want those that others tell", s)
	}
}

// BenchmarkCountScanned counts the pages that wait in 100,000 documents, as the first answer after
// a change does.
func BenchmarkCountScanned(b *testing.B) {
	st := memindex.New(0, indextest.NewCountingModel(b))
	for i := range 100_000 {
		r := catalog.Record{Path: fmt.Sprintf("notes/%d.md", i), Meta: meta.Data{}}
		if i%10 == 0 {
			r.Note = extract.WithScannedPages("scanned", 3)
		}
		indextest.Must(b, st.PutText(b.Context(), catalog.Entry{Record: r}))
	}
	f := New(NewTracker(0), Sources{Store: st})
	for b.Loop() {
		f.scanned.Store(nil)
		f.countScanned()
	}
}
