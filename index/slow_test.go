package index

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/index/progress"

	"vademecum/docs"
	"vademecum/docs/formats"
	"vademecum/docs/text"
	"vademecum/index/catalog"
	"vademecum/index/say"
	"vademecum/index/search"
)

func TestMain(m *testing.M) {
	formats.RunChild()
	runCrashChild()
	os.Exit(m.Run())
}

func page(text string) string { return "<html><body><p>" + text + "</p></body></html>" }

// holdReaders keeps files that are read apart in their queue until release is
// called.
func holdReaders(ix *Index) (release func()) {
	a := ix.apart
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
func waitState(t *testing.T, ix *Index, ok func(progress.State) bool) {
	t.Helper()
	if err := ix.progress.Wait(t.Context(), ok); err != nil {
		t.Fatal(err)
	}
}

func TestNotesDoNotWaitForBooks(t *testing.T) {
	n := newNotes(t, map[string]string{"book.html": page("Whales are large."), "bad.docx": "PK\x03\x04 no zip", "a.md": "Ants are small."})
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	release := holdReaders(ix)
	reports := make(chan Report)
	go func() {
		r, err := ix.Sync(context.Background(), Scope{})
		if err != nil {
			t.Error(err)
		}
		reports <- r
	}()
	waitState(t, ix, func(s progress.State) bool { return s.Apart })
	if s := ix.State(); !s.Behind() || s.Done != 0 || s.Total != 2 {
		t.Errorf("the state is %+v", s)
	}
	if a := mustSearch(t, ix, Query{Text: "ants"}); found(a) != "a.md" || !strings.Contains(strings.Join(say.Lines(a.Notes), " "), "being built: 0 of 2 files that are new, changed or to be read again are done") {
		t.Errorf("found %q, notes %q", found(a), a.Notes)
	}
	if _, err := ix.Read(t.Context(), Reading{Ref: "book.html"}); err == nil || err.Error() != "book.html is not indexed: waits to be read: ask again" {
		t.Errorf("a book that waits: %v", err)
	}
	if all, err := ix.List(t.Context(), "*.html"); err != nil || len(all) != 1 || all[0].Skip != pending {
		t.Errorf("a book that waits is listed as %+v, %v", all, err)
	}
	n.write("b.md", "Bees dance.")
	ix.refresh(t.Context(), time.Now())
	if a := mustSearch(t, ix, Query{Text: "bees"}); found(a) != "b.md" {
		t.Errorf("found %q for a note that was saved while books are waiting", found(a))
	}
	release()
	r := <-reports
	if r.Indexed != 2 || len(r.Skipped) != 1 || r.Skipped[0] != (Skip{Path: "bad.docx", Reason: "damaged zip"}) || r.Total != 3 {
		t.Errorf("the report is %+v", r)
	}
	waitState(t, ix, func(s progress.State) bool { return s.Phase == progress.Ready && s.Done == 0 && s.Total == 0 })
	if a := mustSearch(t, ix, Query{Text: "whales"}); found(a) != "book.html" {
		t.Errorf("found %q", found(a))
	}
	again := mustSync(t, ix, Scope{Force: true})
	if again.Indexed != 3 || len(again.Skipped) != 1 {
		t.Errorf("by force: %+v", again)
	}
}

func TestBookThatIsChangedWhileItWaits(t *testing.T) {
	n := newNotes(t, map[string]string{"changed.html": page("Before."), "gone.html": page("Gone."), "same.html": page("Same.")})
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	mustSync(t, ix, Scope{Paths: []string{"same.html"}})
	release := holdReaders(ix)
	done := make(chan Report)
	go func() {
		r, err := ix.Sync(context.Background(), Scope{})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	waitState(t, ix, func(s progress.State) bool { return s.Apart && s.Total >= 2 })
	n.write("changed.html", page("Afterwards, and longer."))
	n.remove("gone.html")
	release()
	r := <-done
	if r.Indexed != 1 || r.Total != 2 || len(r.Skipped) != 0 {
		t.Errorf("the report is %+v", r)
	}
	if part, err := ix.Read(t.Context(), Reading{Ref: "changed.html"}); err != nil || !strings.Contains(part.Text, "Afterwards") || part.TextMIME != "text/markdown" || part.MIME != "text/html" {
		t.Errorf("read %+v, %v", part, err)
	}
	if _, ok := ix.store.Document(search.Location{Folder: 0, Path: "gone.html"}); ok {
		t.Error("a file that is gone was committed")
	}
}

func TestBookThatChangesWhileItIsRead(t *testing.T) {
	n := newNotes(t, map[string]string{"book.html": page("Whales.")})
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	a := ix.apart
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
	if a.isOver(r, prepared{Record: catalog.Record{Size: 1, Modified: time.Unix(1, 0)}}, nil) {
		t.Error("over, though the file was seen to change")
	}
	if r, file = a.next(); r != first || file != now {
		t.Fatalf("then read %+v", file)
	}
	if !a.isOver(r, prepared{Record: catalog.Record{Size: 2, Modified: time.Unix(2, 0)}}, nil) || len(a.at) != 0 {
		t.Error("not over, though the file is as it was seen last")
	}
	release()
}

func TestCommitLooksAtTheFileAgain(t *testing.T) {
	n := newNotes(t, map[string]string{"changed.html": page("Whales."), "gone.html": page("Whales."), "same.html": page("Whales.")})
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	w := &worker{run: &run{k: ix.Keeper}}
	for name, want := range map[string]error{"changed.html": nil, "gone.html": errGone, "same.html": nil} {
		files, err := ix.folders[0].Scan(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.prepare(t.Context(), files[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		switch name {
		case "changed.html":
			n.write(name, page("Whales, again."))
		case "gone.html":
			n.remove(name)
		}
		now, err := ix.commitApart(t.Context(), w, p, nil, false)
		if !errors.Is(err, want) || (now != nil) != (name == "changed.html") {
			t.Errorf("%s: %v, %v", name, now, err)
		}
		if _, ok := ix.store.Document(search.Location{Folder: 0, Path: name}); ok != (name == "same.html") {
			t.Errorf("%s is committed: %v", name, ok)
		}
	}
}

func TestFileThatCouldNotBeReadIsReadThoughItIsTheSame(t *testing.T) {
	n := newNotes(t, map[string]string{"book.html": page("Whales.")})
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	raw, err := ix.folders[0].Load(t.Context(), "book.html")
	if err != nil {
		t.Fatal(err)
	}
	lost := catalog.Record{Path: "book.html", Hash: raw.Hash, Size: raw.Size, Modified: raw.ModTime, ReadAt: time.Now().Add(-time.Hour), Skip: unread + "the machine is too busy"}
	if err := ix.store.Put(t.Context(), 0, lost, text.Body{}); err != nil {
		t.Fatal(err)
	}
	if r := mustSync(t, ix, Scope{}); r.Indexed != 1 || len(r.Skipped) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestBookOfTheSameLookIsReadAgain(t *testing.T) {
	n := newNotes(t, map[string]string{"a.html": page("Whales.")})
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	mustSync(t, ix, Scope{})
	info, err := os.Stat(filepath.Join(n.dir, "a.html"))
	if err != nil {
		t.Fatal(err)
	}
	n.remove("a.html")
	n.write("b.html", page("Sharks."))
	if err := os.Chtimes(filepath.Join(n.dir, "b.html"), info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	mustSync(t, ix, Scope{})
	if a := mustSearch(t, ix, Query{Text: "sharks", TopK: 1}); found(a) != "b.html" {
		t.Errorf("found %q", found(a))
	}
}

func TestMovedBookIsNotReadAgain(t *testing.T) {
	n := newNotes(t, map[string]string{"shelf/whales.html": page("Blubber."), "shelf/ants.html": "<title>On ants</title>" + page("Formic acid."), "shelf/same.html": page("Plankton")})
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	mustSync(t, ix, Scope{})
	if err := os.Rename(filepath.Join(n.dir, "shelf"), filepath.Join(n.dir, "case")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(n.dir, "case", "whales.html"), filepath.Join(n.dir, "case", "cetaceans.html")); err != nil {
		t.Fatal(err)
	}
	release := holdReaders(ix)
	r, err := ix.sync(t.Context(), ix.everything(), false)
	if err != nil || r.report.Indexed != 3 || r.report.Removed != 3 || len(r.apart) != 0 {
		t.Fatalf("%+v, %d read apart, %v", r.report, len(r.apart), err)
	}
	release()
	a := mustSearch(t, ix, Query{Text: "blubber", TopK: 1})
	if found(a) != "case/cetaceans.html" || a.Passages[0].Title != "cetaceans" {
		t.Errorf("found %q, %q", found(a), a.Passages[0].Title)
	}
	if part, err := ix.Read(t.Context(), Reading{Ref: a.Passages[0].URI}); err != nil || part.Text != "Blubber." {
		t.Errorf("read %q, %v", part.Text, err)
	}
	if a := mustSearch(t, ix, Query{Text: "formic", TopK: 1}); a.Passages[0].Title != "On ants" {
		t.Errorf("the title is %q", a.Passages[0].Title)
	}
}

func TestFileThatCannotBeReadRests(t *testing.T) {
	f := docs.File{Path: "a.pdf", Size: 1, ModTime: time.Unix(1, 0)}
	d := &search.Document{Record: catalog.Record{Size: 1, Modified: f.ModTime, ReadAt: time.Now(), Skip: unread + "the machine is too busy"}}
	if !isResting(d, f) {
		t.Error("tried again at once")
	}
	d.ReadAt = d.ReadAt.Add(-2 * sweepEvery)
	if isResting(d, f) {
		t.Error("never tried again")
	}
	d.ReadAt, f.Size = time.Now(), 2
	if isResting(d, f) {
		t.Error("not tried again though it changed")
	}
	d.Skip, f.Size = "", 1
	if isResting(d, f) {
		t.Error("a file that was read rests")
	}
}

func TestCloseGivesUpBooks(t *testing.T) {
	n := newNotes(t, map[string]string{"book.html": page("Whales.")})
	ix := open(t, t.TempDir(), newCounting(t), n.dir)
	release := holdReaders(ix)
	r, err := ix.sync(t.Context(), ix.everything(), false)
	if err != nil || len(r.apart) != 1 {
		t.Fatalf("%d files are read apart, %v", len(r.apart), err)
	}
	ix.apart.stop()
	release()
	ix.apart.group.Wait()
	if _, ok := ix.store.Document(search.Location{Folder: 0, Path: "book.html"}); ok {
		t.Error("a document was committed after the end")
	}
}
