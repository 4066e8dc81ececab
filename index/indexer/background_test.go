package indexer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/compare"
	"vademecum/index/indextest"
	"vademecum/index/ingest"
	"vademecum/index/progress"
	"vademecum/index/say"
	"vademecum/index/search"
)

// holdReaders keeps files that are read apart in their queue until release is
// called.
func holdReaders(ix *fixture) (release func()) {
	a := ix.background
	a.mu.Lock()
	a.readers = workers()
	a.mu.Unlock()
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		for range a.readers {
			a.group.Go(a.work)
		}
	}
}

// waitState waits for the index to be in a state.
func waitState(t *testing.T, ix *fixture, ok func(progress.State) bool) {
	t.Helper()
	if err := ix.Fresh.Tracker.Wait(t.Context(), ok); err != nil {
		t.Fatal(err)
	}
}

func TestNotesDoNotWaitForBooks(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"book.html": indextest.Page("Whales are large."), "bad.docx": "PK\x03\x04 no zip", "a.md": "Ants are small."})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	release := holdReaders(ix)
	reports := make(chan say.Report)
	go func() {
		r, err := ix.sync(context.Background(), scope{})
		if err != nil {
			t.Error(err)
		}
		reports <- r
	}()
	waitState(t, ix, func(s progress.State) bool { return s.Apart })
	if s := ix.Fresh.State(); !s.Behind() || s.Done != 0 || s.Total != 2 {
		t.Errorf("the state is %+v", s)
	}
	if got, notes := found(t, ix, "ants"), notes(ix); got != "a.md" || !strings.Contains(notes, "being built: 0 of 2 files that are new, changed or to be read again are done") {
		t.Errorf("found %q, notes %q", got, notes)
	}
	book := search.Location{Folder: 0, Path: "book.html"}
	if d, ok := ix.FindUnread(book); !ok || d.Skip != "waits to be read: ask again" {
		t.Errorf("a book that waits: %+v", d)
	}
	if all := ix.Unread(); !slices.ContainsFunc(all, func(d *search.Document) bool { return d.At() == book }) {
		t.Errorf("the books that wait are %+v", all)
	}
	n.Write("b.md", "Bees dance.")
	indextest.Must(t, ix.Compare(t.Context(), []int{0}))
	if got := found(t, ix, "bees"); got != "b.md" {
		t.Errorf("found %q for a note that was saved while books are waiting", got)
	}
	release()
	r := <-reports
	if r.Indexed != 2 || len(r.Skipped) != 1 || r.Skipped[0] != (say.Skip{Path: "bad.docx", Reason: "damaged zip"}) || r.Total != 3 {
		t.Errorf("the report is %+v", r)
	}
	waitState(t, ix, func(s progress.State) bool { return s.Phase == progress.Ready && s.Done == 0 && s.Total == 0 })
	if got := found(t, ix, "whales"); got != "book.html" {
		t.Errorf("found %q", got)
	}
	again := mustSync(t, ix, scope{force: true})
	if again.Indexed != 3 || len(again.Skipped) != 1 {
		t.Errorf("by force: %+v", again)
	}
}

func TestBookThatIsChangedWhileItWaits(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"changed.html": indextest.Page("Before."), "gone.html": indextest.Page("Gone."), "same.html": indextest.Page("Same.")})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, ix, scope{paths: []string{"same.html"}})
	release := holdReaders(ix)
	done := make(chan say.Report)
	go func() {
		r, err := ix.sync(context.Background(), scope{})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	waitState(t, ix, func(s progress.State) bool { return s.Apart && s.Total >= 2 })
	n.Write("changed.html", indextest.Page("Afterwards, and longer."))
	n.Remove("gone.html")
	release()
	r := <-done
	if r.Indexed != 1 || r.Total != 2 || len(r.Skipped) != 0 {
		t.Errorf("the report is %+v", r)
	}
	if got := content(t, ix, "changed.html"); !strings.Contains(got, "Afterwards") {
		t.Errorf("read %q", got)
	}
	if _, ok := ix.Store.Document(search.Location{Folder: 0, Path: "gone.html"}); ok {
		t.Error("a file that is gone was committed")
	}
}

// TestBooksAreReadBesideTheOthers: one after the other from the beginning, and nobody
// waits for one while there is something else to read.
func TestBooksAreReadBesideTheOthers(t *testing.T) {
	ix := open(t, t.TempDir(), indextest.NewCounting(t), t.TempDir())
	a := ix.background
	holdReaders(ix)
	var files []docs.File
	for i, size := range []int64{1, largeBook, 2, largeBook + 1} {
		files = append(files, docs.File{Path: fmt.Sprintf("%d.html", i), Size: size})
	}
	a.add(0, files, false)
	var taken []string
	var book *reading
	for {
		r, file := a.next()
		if r == nil {
			break
		}
		taken = append(taken, file.Path)
		if r.isBook() {
			book = r
		}
	}
	if got := strings.Join(taken, " "); got != "1.html 0.html 2.html" {
		t.Errorf("read %s", got)
	}
	if !a.isOver(book, ingest.Document{}, nil) {
		t.Fatal("the first book is not over")
	}
	if r, file := a.next(); r == nil || file.Path != "3.html" {
		t.Errorf("after the first book read %q", file.Path)
	}
}

func TestBookThatChangesWhileItIsRead(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"book.html": indextest.Page("Whales.")})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	a := ix.background
	release := holdReaders(ix)
	old := docs.File{Path: "book.html", Size: 1, ModTime: time.Unix(1, 0)}
	now := docs.File{Path: "book.html", Size: 2, ModTime: time.Unix(2, 0)}
	first := a.add(0, []docs.File{old}, false)[0]
	r, file := a.next()
	if r != first || file != old {
		t.Fatalf("read %+v", file)
	}
	if again := a.add(0, []docs.File{now}, false); again[0] != r || len(a.queue) != 0 {
		t.Fatal("a file that is being read was queued twice")
	}
	if a.isOver(r, ingest.Document{Entry: catalog.Entry{Record: catalog.Record{Size: 1, Modified: time.Unix(1, 0)}}}, nil) {
		t.Error("over, though the file was seen to change")
	}
	if r, file = a.next(); r != first || file != now {
		t.Fatalf("then read %+v", file)
	}
	if !a.isOver(r, ingest.Document{Entry: catalog.Entry{Record: catalog.Record{Size: 2, Modified: time.Unix(2, 0)}}}, nil) || len(a.at) != 0 {
		t.Error("not over, though the file is as it was seen last")
	}
	release()
}

func TestCommitLooksAtTheFileAgain(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"changed.html": indextest.Page("Whales."), "gone.html": indextest.Page("Whales."), "same.html": indextest.Page("Whales.")})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	w := &worker{Run: ix.NewRun(compare.Comparison{})}
	for name, want := range map[string]error{"changed.html": nil, "gone.html": ingest.ErrGone, "same.html": nil} {
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
			n.Write(name, indextest.Page("Whales, again."))
		case "gone.html":
			n.Remove(name)
		}
		now, err := ix.commitApart(t.Context(), w, p, nil, false)
		if !errors.Is(err, want) || (now != nil) != (name == "changed.html") {
			t.Errorf("%s: %v, %v", name, now, err)
		}
		if _, ok := ix.Store.Document(search.Location{Folder: 0, Path: name}); ok != (name == "same.html") {
			t.Errorf("%s is committed: %v", name, ok)
		}
	}
}

func TestFileThatCouldNotBeReadIsReadThoughItIsTheSame(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"book.html": indextest.Page("Whales.")})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	raw, err := ix.Folders[0].Load(t.Context(), "book.html")
	if err != nil {
		t.Fatal(err)
	}
	lost := catalog.Record{Path: "book.html", Hash: raw.Hash, Size: raw.Size, Modified: raw.ModTime, ReadAt: time.Now().Add(-time.Hour), Skip: catalog.Unread(errors.New("the machine is too busy"))}
	if err := ix.Store.Put(t.Context(), 0, catalog.Entry{Record: lost}); err != nil {
		t.Fatal(err)
	}
	if r := mustSync(t, ix, scope{}); r.Indexed != 1 || len(r.Skipped) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestBookOfTheSameLookIsReadAgain(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.html": indextest.Page("Whales.")})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, ix, scope{})
	info, err := os.Stat(filepath.Join(n.Dir, "a.html"))
	if err != nil {
		t.Fatal(err)
	}
	n.Remove("a.html")
	n.Write("b.html", indextest.Page("Sharks."))
	if err := os.Chtimes(filepath.Join(n.Dir, "b.html"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	mustSync(t, ix, scope{})
	if got := found(t, ix, "sharks"); got != "b.html" {
		t.Errorf("found %q", got)
	}
}

func TestMovedBookIsNotReadAgain(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"shelf/whales.html": indextest.Page("Blubber."), "shelf/ants.html": "<title>On ants</title>" + indextest.Page("Formic acid."), "shelf/same.html": indextest.Page("Plankton")})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, ix, scope{})
	if err := os.Rename(filepath.Join(n.Dir, "shelf"), filepath.Join(n.Dir, "case")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(n.Dir, "case", "whales.html"), filepath.Join(n.Dir, "case", "cetaceans.html")); err != nil {
		t.Fatal(err)
	}
	release := holdReaders(ix)
	r, err := ix.Index(t.Context(), ix.NewRun(compare.Comparison{}), ix.Comparer.Everything())
	if err != nil || r.Report.Indexed != 3 || r.Report.Removed != 3 || len(r.apart) != 0 {
		t.Fatalf("%+v, %d read apart, %v", r.Report, len(r.apart), err)
	}
	release()
	if d := best(t, ix, "blubber"); d.Path != "case/cetaceans.html" || d.Title != "cetaceans" {
		t.Errorf("found %q, %q", d.Path, d.Title)
	}
	if got := content(t, ix, "case/cetaceans.html"); got != "Blubber.\n" {
		t.Errorf("read %q", got)
	}
	if d := best(t, ix, "formic"); d.Title != "On ants" {
		t.Errorf("the title is %q", d.Title)
	}
}

func TestCloseGivesUpBooks(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"book.html": indextest.Page("Whales.")})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	release := holdReaders(ix)
	r, err := ix.Index(t.Context(), ix.NewRun(compare.Comparison{}), ix.Comparer.Everything())
	if err != nil || len(r.apart) != 1 {
		t.Fatalf("%d files are read apart, %v", len(r.apart), err)
	}
	ix.background.stop()
	release()
	ix.background.group.Wait()
	if _, ok := ix.Store.Document(search.Location{Folder: 0, Path: "book.html"}); ok {
		t.Error("a document was committed after the end")
	}
}
