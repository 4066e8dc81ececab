package index

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/docs/extract/extracttest"
	"vademecum/docs/ocr"
	"vademecum/docs/ocr/ocrtest"
	"vademecum/index/indextest"
	"vademecum/index/memindex"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
)

// loaded opens an index that is closed by the test's end.
func loaded(t *testing.T, o Options) *Index {
	t.Helper()
	ix, err := New(o)
	indextest.Must(t, err)
	t.Cleanup(func() { indextest.Must(t, ix.Close()) })
	indextest.Must(t, ix.Load(t.Context()))
	return ix
}

// started keeps an index of a folder running until the test ends.
func started(t *testing.T, file, dir string, e *indextest.CountingModel) *Index {
	t.Helper()
	ix, err := New(Options{Folders: []string{dir}, IndexPaths: []string{file}, Embedder: e})
	indextest.Must(t, err)
	keepRunning(t, ix)
	return ix
}

// TestOtherModel: who follows with a model of its own embeds what comes later.
func TestOtherModel(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha words here"})
	file := filepath.Join(t.TempDir(), "x.db")
	started(t, file, n.Dir, indextest.NewCountingModel(t))
	other := indextest.NewCountingModel(t)
	other.Name = "other"
	b := started(t, file, n.Dir, other)
	n.Write("b.md", "beta words here")
	indextest.Eventually(t, indextest.ShortTimeout, "the second document has its vector", func() bool {
		documents := b.store.CountDocuments()
		_, bare := b.store.CountChunks()
		return documents == 2 && bare == 0
	})
	if n := other.TakeCount(); n != 2 {
		t.Errorf("the model embedded %d texts", n)
	}
}

// TestRefusedElsewhere: a passage that the model refuses keeps nobody waiting
// in the process that does not embed.
func TestRefusedElsewhere(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha words here", "b.md": "forbidden words here"})
	file := filepath.Join(t.TempDir(), "x.db")
	refusing := indextest.NewCountingModel(t)
	refusing.RefusedWord = "forbidden"
	started(t, file, n.Dir, refusing)
	b := started(t, file, n.Dir, indextest.NewCountingModel(t))
	notes := strings.Join(notice.EnglishLines(b.FreshnessNotes()), "\n")
	if !strings.Contains(notes, "1 of 2 passages are refused by the embedding model") {
		t.Errorf("it says %q", notes)
	}
}

// TestScansElsewhere: a process that would recognise text tells that the one which indexes the
// folder does not.
func TestScansElsewhere(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"scan.pdf": string(extracttest.PDF("", extracttest.PDFScan(10), extracttest.PDFScan(20)))})
	file := filepath.Join(t.TempDir(), "x.db")
	started(t, file, n.Dir, indextest.NewCountingModel(t))
	b, err := New(Options{
		Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t),
		Recogniser: ocr.New(ocr.Options{Program: ocrtest.Program(t, ocrtest.Working), PagesDir: t.TempDir()}),
	})
	indextest.Must(t, err)
	keepRunning(t, b)
	want := "The text of 2 scanned pages is not recognised: the process that indexes the folder was started with --ocr off."
	indextest.Eventually(t, indextest.ShortTimeout, "it tells of the scans", func() bool {
		return slices.Contains(notice.EnglishLines(b.FreshnessNotes()), want)
	})
}

// TestModelDownElsewhere: the failure of a model is reported by all processes.
func TestModelDownElsewhere(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha words here"})
	file := filepath.Join(t.TempDir(), "x.db")
	down := indextest.NewCountingModel(t)
	down.SetDown(true)
	started(t, file, n.Dir, down)
	b := started(t, file, n.Dir, indextest.NewCountingModel(t))
	indextest.Eventually(t, indextest.ShortTimeout, "the failure is told", func() bool { return b.State().EmbedFailure == "connection refused" })
	command := loaded(t, Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t)})
	if _, err := command.Sync(t.Context(), sync.Scope{}); err != nil {
		t.Error(err)
	}
	if err := command.Embed(t.Context()); err == nil || err.Error() != "connection refused" {
		t.Errorf("a command says %v", err)
	}
}

// TestCommandsOnTheSameFolders: each has the duty for a folder that the other
// wants.
func TestCommandsOnTheSameFolders(t *testing.T) {
	t.Parallel()
	n, m := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), indextest.NewNotesFolder(t, map[string]string{"b.md": "beta"})
	dir := t.TempDir()
	fn, fm := filepath.Join(dir, "n.db"), filepath.Join(dir, "m.db")
	a := loaded(t, Options{Folders: []string{n.Dir, m.Dir}, IndexPaths: []string{fn, fm}, Embedder: indextest.NewCountingModel(t)})
	b := loaded(t, Options{Folders: []string{m.Dir, n.Dir}, IndexPaths: []string{fm, fn}, Embedder: indextest.NewCountingModel(t)})
	if !a.folders[0].Storage.IndexingLease().TryAcquire() || !b.folders[0].Storage.IndexingLease().TryAcquire() || a.folders[1].Storage.IndexingLease().TryAcquire() || b.folders[1].Storage.IndexingLease().TryAcquire() {
		t.Fatal("not each has one")
	}
	faults := make(chan error, 2)
	for _, ix := range []*Index{a, b} {
		go func() {
			r, err := ix.Sync(t.Context(), sync.Scope{})
			if err == nil && r.SearchableDocuments != 2 {
				err = fmt.Errorf("%+v", r)
			}
			faults <- err
		}()
	}
	for range 2 {
		if err := <-faults; err != nil {
			t.Error(err)
		}
	}
}

// TestPatience: a question does not wait for a process that indexes for long,
// and says so.
func TestPatience(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	o := Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t)}
	busy := loaded(t, o)
	mustSync(t, busy, sync.Scope{})
	n.Write("b.md", "beta")
	if !busy.folders[0].Storage.IndexingLease().TryAcquire() {
		t.Fatal("it does not lead")
	}
	o.OtherProcessTimeout = 10 * time.Millisecond
	hasty := loaded(t, o)
	mustSync(t, hasty, sync.Scope{})
	a := mustSearch(t, hasty, Query{Text: "alpha"})
	if found(a) != "a.md" || !strings.Contains(strings.Join(notice.EnglishLines(a.Notes), " "), "still being scanned") {
		t.Errorf("%s %q", found(a), a.Notes)
	}
	indextest.Must(t, busy.folders[0].Storage.IndexingLease().Release())
	mustSync(t, hasty, sync.Scope{})
	if a = mustSearch(t, hasty, Query{Text: "beta"}); found(a) != "b.md" || len(a.Notes) > 0 {
		t.Errorf("%s %q", found(a), a.Notes)
	}
}

// TestReplacedDocumentsStay: while a follower takes over many changes, no
// document is missing.
func TestReplacedDocumentsStay(t *testing.T) {
	t.Parallel()
	const many = 3 * catalog.PageRows / 2 // a follower takes over a page of rows at a time
	n := indextest.NewNotesFolder(t, nil)
	for i := range many {
		n.Write(fmt.Sprintf("n%04d.md", i), fmt.Sprintf("word%d common", i))
	}
	both := twoOn(t, n.Dir)
	mustSync(t, both[0], sync.Scope{})
	followAll(t, both[1])
	for i := range many {
		n.Write(fmt.Sprintf("n%04d.md", i), fmt.Sprintf("word%d common, second version", i))
	}
	mustSync(t, both[0], sync.Scope{})
	done := make(chan struct{})
	least := make(chan int)
	go func() {
		fewest := many
		for {
			select {
			case <-done:
				least <- fewest
				return
			default:
				documents := both[1].store.CountDocuments()
				fewest = min(fewest, documents)
			}
		}
	}()
	followAll(t, both[1])
	close(done)
	if n := <-least; n < many {
		t.Errorf("at one moment there were %d of %d documents", n, many)
	}
	compareIndexes(t, both[1], both[0])
}

// TestTextOfAnotherIndex: what a question has found in an index that is gone
// has no text, rather than that of another document.
func TestTextOfAnotherIndex(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix := loaded(t, Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t)})
	mustSync(t, ix, sync.Scope{})
	d, _ := ix.store.Document(search.Location{Folder: 0, Path: "a.md"})
	removeFiles(t, file, file+"-wal", file+"-shm")
	n.Rename("a.md", "b.md")
	mustSync(t, ix, sync.Scope{})
	if body, ok, err := ix.store.Body(t.Context(), d); ok || err != nil {
		t.Errorf("%q %v", body.Text, err)
	}
}

// TestSnapshotOfAnotherTime: the file of an index is put back to what it was,
// as by a power cut or from a backup, and the snapshot is not.
func TestSnapshotOfAnotherTime(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, nil)
	for i := range memindex.MinSnapshotChanges - 10 {
		n.Write(fmt.Sprintf("n%d.md", i), fmt.Sprintf("word%d common", i))
	}
	file := filepath.Join(t.TempDir(), "x.db")
	session := func(check func(*Index)) {
		ix, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t)})
		indextest.Must(t, err)
		indextest.Must(t, ix.Load(t.Context()))
		_, err = ix.Sync(t.Context(), sync.Scope{})
		indextest.Must(t, err)
		check(ix)
		indextest.Must(t, ix.Close())
	}
	embedded := func(ix *Index) { indextest.Must(t, ix.Embed(t.Context())) }
	session(func(*Index) {})
	old, err := os.ReadFile(file)
	indextest.Must(t, err)
	for i := range 20 {
		n.Write(fmt.Sprintf("lost%d.md", i), fmt.Sprintf("lost%d common %s", i, strings.Repeat("much longer text ", 20)))
	}
	session(embedded)
	if _, err := os.Stat(file + memindex.SnapshotSuffix); err != nil {
		t.Fatal(err)
	}
	removeFiles(t, file+"-wal", file+"-shm")
	write(t, file, old)
	for i := range 20 {
		n.Remove(fmt.Sprintf("lost%d.md", i))
	}
	for i := range 40 { // so that the numbers of changes are given out again
		n.Write(fmt.Sprintf("new%d.md", i), fmt.Sprintf("new%d common", i))
	}
	session(embedded)
	fresh := loaded(t, Options{Folders: []string{n.Dir}, IndexPaths: []string{filepath.Join(t.TempDir(), "y.db")}, Embedder: indextest.NewCountingModel(t)})
	mustSync(t, fresh, sync.Scope{})
	embedded(fresh)
	// Before a Sync, which would mend it.
	compareIndexes(t, loaded(t, Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t)}), fresh)
}

// TestLengthsOfVectors: two folders were embedded by a model that has changed
// its mind about dimensions. What does not fit is embedded again.
func TestLengthsOfVectors(t *testing.T) {
	t.Parallel()
	var dirs, files []string
	for i := range 2 {
		n := indextest.NewNotesFolder(t, nil)
		for j := range memindex.MinSnapshotChanges + 10 {
			n.Write(fmt.Sprintf("a%d.md", j), fmt.Sprintf("alpha%d of %d", j, i))
		}
		e := indextest.NewCountingModel(t)
		e.ReturnsShortVectors = i == 1
		dirs, files = append(dirs, n.Dir), append(files, filepath.Join(t.TempDir(), "x.db"))
		ix := loaded(t, Options{Folders: dirs[i:], IndexPaths: files[i:], Embedder: e})
		mustSync(t, ix, sync.Scope{})
		indextest.Must(t, ix.Embed(t.Context()))
	}
	ix := loaded(t, Options{Folders: dirs, IndexPaths: files, Embedder: indextest.NewCountingModel(t)})
	if chunks, bare := ix.store.CountChunks(); chunks != 2*(memindex.MinSnapshotChanges+10) || bare != memindex.MinSnapshotChanges+10 {
		t.Errorf("%d of %d have no vector", bare, chunks)
	}
}
