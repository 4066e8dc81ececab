package sync_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/ingest"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// waitState waits for the index to be in a state.
func waitState(t *testing.T, ix *sync.Syncer, ok func(progress.State) bool) {
	t.Helper()
	if err := ix.FreshnessPublisher.Wait(t.Context(), func(now freshness.Snapshot) bool { return ok(now.State) }); err != nil {
		t.Fatal(err)
	}
}

func TestNotesDoNotWaitForBooks(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"book.html": indextest.HTMLPage("Whales are large."), "bad.docx": "PK\x03\x04 no zip", "a.md": "Ants are small."})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	release := sync.HoldBackground(ix)
	reports := make(chan notice.Report)
	go func() {
		r, err := ix.Sync(context.Background(), sync.Scope{})
		if err != nil {
			t.Error(err)
		}
		reports <- r
	}()
	waitState(t, ix, func(s progress.State) bool { return s.ReadsInBackground })
	if s := ix.State(); !s.IsBehind() || s.FilesDone != 0 || s.FilesTotal != 2 {
		t.Errorf("the state is %+v", s)
	}
	if got, notes := syncertest.BestPath(t, ix, "ants"), syncertest.FreshnessNotes(ix); got != "a.md" || !strings.Contains(notes, "being built: 0 of 2 files that are new, changed or to be read again are done") {
		t.Errorf("found %q, notes %q", got, notes)
	}
	book := search.Location{Folder: 0, Path: "book.html"}
	if d, ok := ix.FindUnreadDocument(book); !ok || d.SkipReason.String() != "waiting to be read: ask again" {
		t.Errorf("a book that waits: %+v", d)
	}
	if all := ix.UnreadDocuments(); !slices.ContainsFunc(all, func(d *search.Document) bool { return d.Location() == book }) {
		t.Errorf("the books that wait are %+v", all)
	}
	n.Write("b.md", "Bees dance.")
	indextest.Must(t, ix.CompareAndIndex(t.Context(), []int{0}))
	if got := syncertest.BestPath(t, ix, "bees"); got != "b.md" {
		t.Errorf("found %q for a note that was saved while books are waiting", got)
	}
	release()
	r := <-reports
	if r.Indexed != 2 || len(r.Skipped) != 1 || r.Skipped[0].Path != "bad.docx" || r.Skipped[0].Reason.String() != "damaged zip" || r.SearchableDocuments != 3 {
		t.Errorf("the report is %+v", r)
	}
	waitState(t, ix, func(s progress.State) bool { return s.Phase == progress.Ready && s.FilesDone == 0 && s.FilesTotal == 0 })
	if got := syncertest.BestPath(t, ix, "whales"); got != "book.html" {
		t.Errorf("found %q", got)
	}
	again := syncertest.MustSync(t, ix, sync.Scope{Force: true})
	if again.Indexed != 3 || len(again.Skipped) != 1 {
		t.Errorf("by force: %+v", again)
	}
}

// TestFileThatGrowsIsNotEmpty checks that a file that was empty at first is not called so while it is read.
func TestFileThatGrowsIsNotEmpty(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"copied.html": "", "empty.md": ""})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	reason := func(name string) string {
		d, ok := ix.Store.Document(search.Location{Folder: 0, Path: name})
		if !ok {
			t.Fatalf("%s is not known", name)
		}
		return ix.CurrentSkipReason(d).String()
	}
	if got := reason("copied.html"); got != "empty" {
		t.Errorf("an empty file: %q", got)
	}
	release := sync.HoldBackground(ix)
	n.Write("copied.html", indextest.HTMLPage("Whales are large."))
	done := make(chan error)
	go func() {
		_, err := ix.Sync(context.Background(), sync.Scope{})
		done <- err
	}()
	waitState(t, ix, func(s progress.State) bool { return s.ReadsInBackground })
	if got := reason("copied.html"); got != "waiting to be read: ask again" {
		t.Errorf("a file that is read again: %q", got)
	}
	if got := reason("empty.md"); got != "empty" {
		t.Errorf("a file that is empty still: %q", got)
	}
	release()
	indextest.Must(t, <-done)
	if got := reason("copied.html"); got != "" {
		t.Errorf("when it has been read: %q", got)
	}
}

func TestBookThatIsChangedWhileItWaits(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"changed.html": indextest.HTMLPage("Before."), "gone.html": indextest.HTMLPage("Gone."), "same.html": indextest.HTMLPage("Same.")})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{Paths: []string{"same.html"}})
	release := sync.HoldBackground(ix)
	done := make(chan notice.Report)
	go func() {
		r, err := ix.Sync(context.Background(), sync.Scope{})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	waitState(t, ix, func(s progress.State) bool { return s.ReadsInBackground && s.FilesTotal >= 2 })
	n.Write("changed.html", indextest.HTMLPage("Afterwards, and longer."))
	n.Remove("gone.html")
	release()
	r := <-done
	if r.Indexed != 1 || r.SearchableDocuments != 2 || len(r.Skipped) != 0 {
		t.Errorf("the report is %+v", r)
	}
	if got := syncertest.Content(t, ix, "changed.html"); !strings.Contains(got, "Afterwards") {
		t.Errorf("read %q", got)
	}
	if _, ok := ix.Store.Document(search.Location{Folder: 0, Path: "gone.html"}); ok {
		t.Error("a file that is gone was committed")
	}
}

func TestCommitLooksAtTheFileAgain(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"changed.html": indextest.HTMLPage("Whales."), "gone.html": indextest.HTMLPage("Whales."), "same.html": indextest.HTMLPage("Whales.")})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	for name, want := range map[string]error{"changed.html": nil, "gone.html": ingest.ErrFileRemoved, "same.html": nil} {
		files, err := ix.Folders[0].Scan(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ix.Reader.Prepare(t.Context(), 0, ix.Reader.Fetch(t.Context(), 0, files[0]), nil, false)
		if err != nil {
			t.Fatal(err)
		}
		switch name {
		case "changed.html":
			n.Write(name, indextest.HTMLPage("Whales, again."))
		case "gone.html":
			n.Remove(name)
		}
		now, err := sync.CommitApart(t.Context(), ix, p)
		if !errors.Is(err, want) || (now != nil) != (name == "changed.html") {
			t.Errorf("%s: %v, %v", name, now, err)
		}
		if _, ok := ix.Store.Document(search.Location{Folder: 0, Path: name}); ok != (name == "same.html") {
			t.Errorf("%s is committed: %v", name, ok)
		}
	}
}

func TestFileThatCouldNotBeReadIsReadThoughItIsTheSame(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"book.html": indextest.HTMLPage("Whales.")})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	raw, err := ix.Folders[0].Load(t.Context(), "book.html")
	if err != nil {
		t.Fatal(err)
	}
	lost := catalog.Record{Path: "book.html", Hash: raw.Hash, Size: raw.Size, Modified: raw.ModTime, ReadAt: time.Now().Add(-time.Hour), SkipReason: catalog.ReadFailureReason(errors.New("the machine is too busy"))}
	if err := ix.Store.Put(t.Context(), 0, catalog.RecordWithBody{Record: lost}); err != nil {
		t.Fatal(err)
	}
	if r := syncertest.MustSync(t, ix, sync.Scope{}); r.Indexed != 1 || len(r.Skipped) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestBookOfTheSameLookIsReadAgain(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.html": indextest.HTMLPage("Whales.")})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	info, err := os.Stat(filepath.Join(n.Dir, "a.html"))
	if err != nil {
		t.Fatal(err)
	}
	n.Remove("a.html")
	n.Write("b.html", indextest.HTMLPage("Sharks."))
	if err := os.Chtimes(filepath.Join(n.Dir, "b.html"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	syncertest.MustSync(t, ix, sync.Scope{})
	if got := syncertest.BestPath(t, ix, "sharks"); got != "b.html" {
		t.Errorf("found %q", got)
	}
}

func TestMovedBookIsNotReadAgain(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"shelf/whales.html": indextest.HTMLPage("Blubber."), "shelf/ants.html": "<title>On ants</title>" + indextest.HTMLPage("Formic acid."), "shelf/same.html": indextest.HTMLPage("Plankton")})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	if err := os.Rename(filepath.Join(n.Dir, "shelf"), filepath.Join(n.Dir, "case")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(n.Dir, "case", "whales.html"), filepath.Join(n.Dir, "case", "cetaceans.html")); err != nil {
		t.Fatal(err)
	}
	release := sync.HoldBackground(ix)
	r, err := ix.IndexAreas(t.Context(), ix.NewRun(sync.Comparison{}), ix.AllSubtrees())
	if err != nil || r.Report.Indexed != 3 || r.Report.Removed != 3 || sync.CountBackground(r) != 0 {
		t.Fatalf("%+v, %d read apart, %v", r.Report, sync.CountBackground(r), err)
	}
	release()
	if d := syncertest.BestDocument(t, ix, "blubber"); d.Path != "case/cetaceans.html" || d.Title != "cetaceans" {
		t.Errorf("found %q, %q", d.Path, d.Title)
	}
	if got := syncertest.Content(t, ix, "case/cetaceans.html"); got != "Blubber.\n" {
		t.Errorf("read %q", got)
	}
	if d := syncertest.BestDocument(t, ix, "formic"); d.Title != "On ants" {
		t.Errorf("the title is %q", d.Title)
	}
}

func TestCloseGivesUpBooks(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"book.html": indextest.HTMLPage("Whales.")})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	release := sync.HoldBackground(ix)
	r, err := ix.IndexAreas(t.Context(), ix.NewRun(sync.Comparison{}), ix.AllSubtrees())
	if err != nil || sync.CountBackground(r) != 1 {
		t.Fatalf("%d files are read apart, %v", sync.CountBackground(r), err)
	}
	ix.Close() // nobody is reading yet
	release()
	ix.Close()
	if _, ok := ix.Store.Document(search.Location{Folder: 0, Path: "book.html"}); ok {
		t.Error("a document was committed after the end")
	}
}
