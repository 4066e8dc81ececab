package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/live"
	"vademecum/index/say"
	"vademecum/index/search"
)

// loaded opens an index that is closed by the test's end.
func loaded(t *testing.T, o Options) *Index {
	t.Helper()
	ix, err := New(o)
	mustDo(t, err)
	t.Cleanup(func() { mustDo(t, ix.Close()) })
	mustDo(t, ix.Load(t.Context()))
	return ix
}

// started keeps an index of a folder running until the test ends.
func started(t *testing.T, file, dir string, e *counting) *Index {
	t.Helper()
	ix, err := New(Options{Folders: []string{dir}, Files: []string{file}, Embedder: e})
	mustDo(t, err)
	keepRunning(t, ix)
	return ix
}

// TestOtherModel: who follows with a model of its own embeds what comes later.
func TestOtherModel(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha words here"})
	file := filepath.Join(t.TempDir(), "x.db")
	started(t, file, n.dir, newCounting(t))
	other := newCounting(t)
	other.name = "other"
	b := started(t, file, n.dir, other)
	n.write("b.md", "beta words here")
	within(t, seconds, "the second document has its vector", func() bool {
		documents := b.store.CountDocuments()
		_, bare := b.store.CountChunks()
		return documents == 2 && bare == 0
	})
	if n := other.taken(); n != 2 {
		t.Errorf("the model embedded %d texts", n)
	}
}

// TestRefusedElsewhere: a passage that the model refuses keeps nobody waiting
// in the process that does not embed.
func TestRefusedElsewhere(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha words here", "b.md": "forbidden words here"})
	file := filepath.Join(t.TempDir(), "x.db")
	refusing := newCounting(t)
	refusing.refuse = "forbidden"
	started(t, file, n.dir, refusing)
	b := started(t, file, n.dir, newCounting(t))
	notes := strings.Join(say.Lines(b.Freshness()), "\n")
	if !strings.Contains(notes, "1 of 2 passages are refused by the embedding model") {
		t.Errorf("it says %q", notes)
	}
}

// TestModelDownElsewhere: the failure of a model is told by all processes.
func TestModelDownElsewhere(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha words here"})
	file := filepath.Join(t.TempDir(), "x.db")
	down := newCounting(t)
	down.setDown(true)
	started(t, file, n.dir, down)
	b := started(t, file, n.dir, newCounting(t))
	within(t, seconds, "the failure is told", func() bool { return b.State().EmbedFailure == "connection refused" })
	command := loaded(t, Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t)})
	if _, err := command.Sync(t.Context(), Scope{}); err != nil {
		t.Error(err)
	}
	if err := command.Embed(t.Context()); err == nil || err.Error() != "connection refused" {
		t.Errorf("a command says %v", err)
	}
}

// TestCommandsOnTheSameFolders: each has the duty for a folder that the other
// wants.
func TestCommandsOnTheSameFolders(t *testing.T) {
	n, m := newNotes(t, map[string]string{"a.md": "alpha"}), newNotes(t, map[string]string{"b.md": "beta"})
	dir := t.TempDir()
	fn, fm := filepath.Join(dir, "n.db"), filepath.Join(dir, "m.db")
	a := loaded(t, Options{Folders: []string{n.dir, m.dir}, Files: []string{fn, fm}, Embedder: newCounting(t)})
	b := loaded(t, Options{Folders: []string{m.dir, n.dir}, Files: []string{fm, fn}, Embedder: newCounting(t)})
	if !a.leads(0) || !b.leads(0) || a.leads(1) || b.leads(1) {
		t.Fatal("not each has one")
	}
	faults := make(chan error, 2)
	for _, ix := range []*Index{a, b} {
		go func() {
			r, err := ix.Sync(t.Context(), Scope{})
			if err == nil && r.Total != 2 {
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
	n := newNotes(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	o := Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t)}
	busy := loaded(t, o)
	mustSync(t, busy, Scope{})
	n.write("b.md", "beta")
	if !busy.leads(0) {
		t.Fatal("it does not lead")
	}
	o.Patience = 10 * time.Millisecond
	hasty := loaded(t, o)
	mustSync(t, hasty, Scope{})
	a := mustSearch(t, hasty, Query{Text: "alpha"})
	if found(a) != "a.md" || !strings.Contains(strings.Join(say.Lines(a.Notes), " "), "still being scanned") {
		t.Errorf("%s %q", found(a), a.Notes)
	}
	mustDo(t, busy.handOver())
	mustSync(t, hasty, Scope{})
	if a = mustSearch(t, hasty, Query{Text: "beta"}); found(a) != "b.md" || len(a.Notes) > 0 {
		t.Errorf("%s %q", found(a), a.Notes)
	}
}

// TestCommandTellsHowFarItIs: a window that is opened while a command indexes
// knows that it is behind.
func TestCommandTellsHowFarItIs(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	command := loaded(t, Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t)})
	err := command.tellingWhile(t.Context(), func() error {
		if !command.leads(0) {
			return errors.New("it does not lead")
		}
		command.progress.Start()
		command.progress.Expect(7)
		ix, err := New(Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t)})
		if err != nil {
			return err
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- ix.Run(ctx) }()
		within(t, seconds, "it says how far the command is", func() bool {
			return strings.Contains(strings.Join(say.Lines(ix.Freshness()), " "), "being built: 0 of 7 files that are new, changed or to be read again are done")
		})
		command.progress.End(nil, true)
		cancel()
		return errors.Join(<-done, ix.Close())
	})
	mustDo(t, err)
}

// TestReplacedDocumentsStay: while a follower takes over many changes, no
// document is missing.
func TestReplacedDocumentsStay(t *testing.T) {
	const many = 3 * catalog.PageRows
	n := newNotes(t, nil)
	for i := range many {
		n.write(fmt.Sprintf("n%04d.md", i), fmt.Sprintf("word%d common", i))
	}
	both := twoOn(t, n.dir)
	mustSync(t, both[0], Scope{})
	followAll(t, both[1])
	for i := range many {
		n.write(fmt.Sprintf("n%04d.md", i), fmt.Sprintf("word%d common, second version", i))
	}
	mustSync(t, both[0], Scope{})
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

// TestSlowDrive: no question waits for a scan where they are slow, unless the last
// was long ago.
func TestSlowDrive(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha"})
	both := twoOn(t, n.dir)
	for _, ix := range both {
		mustSync(t, ix, Scope{})
		ix.pace.note(quickScan + 1)
		ix.pace.note(quickScan + 1)
		n.write("b.md", "beta")
		ix.refresh(t.Context(), time.Now())
		if _, ok := ix.store.Document(search.Location{Folder: 0, Path: "b.md"}); ok {
			t.Error("it was scanned")
		}
		ix.pace.noted = time.Now().Add(-2 * sweepEvery)
		ix.refresh(t.Context(), time.Now())
		if _, ok := ix.store.Document(search.Location{Folder: 0, Path: "b.md"}); !ok {
			t.Error("it was not tried again")
		}
		n.remove("b.md")
		mustDo(t, ix.handOver())
	}
}

// TestOneSlowScan: anything may hold one scan up. The next question is answered
// from what was saved before it even so.
func TestOneSlowScan(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha"})
	for _, ix := range twoOn(t, n.dir) {
		mustSync(t, ix, Scope{})
		ix.pace.note(quickScan / 2)
		ix.pace.note(100 * quickScan)
		n.write("b.md", "beta")
		ix.refresh(t.Context(), time.Now())
		if _, ok := ix.store.Document(search.Location{Folder: 0, Path: "b.md"}); !ok {
			t.Error("it was not scanned")
		}
		n.remove("b.md")
		mustDo(t, ix.handOver())
	}
}

// TestSlowScansAreTriedAgain in proportion to what they take.
func TestSlowScansAreTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p pace
		p.note(2 * quickScan)
		p.note(2 * quickScan)
		if p.isQuick() {
			t.Error("at once")
		}
		time.Sleep(2*quickScan*slowShare + 1)
		if !p.isQuick() {
			t.Error("not after a while")
		}
		p.note(sweepEvery)
		p.note(sweepEvery)
		time.Sleep(sweepEvery - 1)
		if p.isQuick() {
			t.Error("too soon")
		}
		time.Sleep(2 * time.Nanosecond)
		if !p.isQuick() {
			t.Error("never")
		}
	})
}

// TestTextOfAnotherIndex: what a question has found in an index that is gone
// has no text, rather than that of another document.
func TestTextOfAnotherIndex(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha"})
	file := filepath.Join(t.TempDir(), "x.db")
	ix := loaded(t, Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t)})
	mustSync(t, ix, Scope{})
	d, _ := ix.store.Document(search.Location{Folder: 0, Path: "a.md"})
	removeFiles(t, file, file+"-wal", file+"-shm")
	n.rename("a.md", "b.md")
	mustSync(t, ix, Scope{})
	if body, ok, err := ix.store.Body(t.Context(), d); ok || err != nil {
		t.Errorf("%q %v", body.Text, err)
	}
}

// TestSnapshotOfAnotherTime: the file of an index is put back to what it was,
// as by a power cut or from a backup, and the snapshot is not.
func TestSnapshotOfAnotherTime(t *testing.T) {
	n := newNotes(t, nil)
	for i := range live.PicturedLeast - 10 {
		n.write(fmt.Sprintf("n%d.md", i), fmt.Sprintf("word%d common", i))
	}
	file := filepath.Join(t.TempDir(), "x.db")
	session := func(check func(*Index)) {
		ix, err := New(Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t)})
		mustDo(t, err)
		mustDo(t, ix.Load(t.Context()))
		_, err = ix.Sync(t.Context(), Scope{})
		mustDo(t, err)
		check(ix)
		mustDo(t, ix.Close())
	}
	embedded := func(ix *Index) { mustDo(t, ix.Embed(t.Context())) }
	session(func(*Index) {})
	old, err := os.ReadFile(file)
	mustDo(t, err)
	for i := range 20 {
		n.write(fmt.Sprintf("lost%d.md", i), fmt.Sprintf("lost%d common %s", i, strings.Repeat("much longer text ", 20)))
	}
	session(embedded)
	if _, err := os.Stat(file + live.SnapshotSuffix); err != nil {
		t.Fatal(err)
	}
	removeFiles(t, file+"-wal", file+"-shm")
	write(t, file, old)
	for i := range 20 {
		n.remove(fmt.Sprintf("lost%d.md", i))
	}
	for i := range 40 { // so that the numbers of changes are given out again
		n.write(fmt.Sprintf("new%d.md", i), fmt.Sprintf("new%d common", i))
	}
	session(embedded)
	fresh := loaded(t, Options{Folders: []string{n.dir}, Files: []string{filepath.Join(t.TempDir(), "y.db")}, Embedder: newCounting(t)})
	mustSync(t, fresh, Scope{})
	embedded(fresh)
	// Before a Sync, which would mend it.
	compareIndexes(t, loaded(t, Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t)}), fresh)
}

// TestLengthsOfVectors: two folders were embedded by a model that has changed
// its mind about dimensions. What does not fit is embedded again.
func TestLengthsOfVectors(t *testing.T) {
	var dirs, files []string
	for i := range 2 {
		n := newNotes(t, nil)
		for j := range live.PicturedLeast + 10 {
			n.write(fmt.Sprintf("a%d.md", j), fmt.Sprintf("alpha%d of %d", j, i))
		}
		e := newCounting(t)
		e.shorter = i == 1
		dirs, files = append(dirs, n.dir), append(files, filepath.Join(t.TempDir(), "x.db"))
		ix := loaded(t, Options{Folders: dirs[i:], Files: files[i:], Embedder: e})
		mustSync(t, ix, Scope{})
		mustDo(t, ix.Embed(t.Context()))
	}
	ix := loaded(t, Options{Folders: dirs, Files: files, Embedder: newCounting(t)})
	if chunks, bare := ix.store.CountChunks(); chunks != 2*(live.PicturedLeast+10) || bare != live.PicturedLeast+10 {
		t.Errorf("%d of %d have no vector", bare, chunks)
	}
}
