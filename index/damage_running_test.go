package index

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/memindex"
	"vademecum/index/progress"
	"vademecum/index/store/catalog"
	"vademecum/index/store/location"
	syncs "vademecum/index/sync"
)

// keepRunning has an index kept up to date until the test ends.
func keepRunning(t *testing.T, ix *Index) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- ix.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	waitReady(t, ix)
}

// awaitRecovery waits until an index that runs has a new catalogue, and equals
// the fresh one.
func (w *wrecked) awaitRecovery(t *testing.T, ix *Index, old *live.Follower) {
	t.Helper()
	var faults []string
	recovered := indextest.Poll(indextest.ShortTimeout, func() bool {
		w.checkAnswers(t, ix)
		state := ix.State()
		if ix.store.Follower(0) == old || state.Phase != progress.Ready || state.Synced.IsZero() {
			return false
		}
		faults = differences(t.Context(), ix, w.fresh)
		return len(faults) == 0 && len(ix.FreshnessNotes()) == 0
	})
	if !recovered {
		t.Fatalf("after %s (new catalogue: %v, state %+v): %.500s", indextest.ShortTimeout, ix.store.Follower(0) != old, ix.State(), strings.Join(faults, "\n"))
	}
}

// harms are done to an index while one or two processes use it.
func (w *wrecked) harms(t *testing.T) map[string]func(file string) {
	other := indextest.NewNotesFolder(t, map[string]string{"other.md": "Something else."})
	foreign, older := filepath.Join(t.TempDir(), "x.db"), filepath.Join(t.TempDir(), "x.db")
	reopen(t, other.Dir, foreign, true)
	before := indextest.NewNotesFolder(t, map[string]string{"0.md": olderText, "gone.md": olderText + " of a file that is gone"})
	reopen(t, before.Dir, older, true)
	setMetaIn(t, older, "folder", w.Dir)
	noVectors := filepath.Join(t.TempDir(), "x.db")
	w.lay(t, noVectors, always)
	scribblePage(t, noVectors, "vectors")
	take := func(from, to string) {
		content, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		write(t, to+".new", content)
		if err := os.Rename(to+".new", to); err != nil {
			t.Fatal(err)
		}
	}
	remove := func(files ...string) {
		for _, f := range files {
			if err := os.RemoveAll(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	return map[string]func(string){
		"deleted":                      func(file string) { remove(file) },
		"deleted with its log":         func(file string) { remove(file, file+"-wal", file+"-shm") },
		"folder deleted":               func(file string) { remove(filepath.Dir(file)) },
		"another of the same folder":   func(file string) { remove(file+"-wal", file+"-shm"); take(older, file) },
		"another of another folder":    func(file string) { remove(file+"-wal", file+"-shm"); take(foreign, file) },
		"another that is damaged":      func(file string) { remove(file+"-wal", file+"-shm"); take(noVectors, file) },
		"a folder in its place":        func(file string) { remove(file, file+"-wal", file+"-shm"); indextest.Must(t, os.Mkdir(file, 0o700)) },
		"overwritten by another":       func(file string) { content, _ := os.ReadFile(older); write(t, file, content); w.touchAll(t, file) },
		"noise all over the file":      func(file string) { scribble(t, file); w.touchAll(t, file) },
		"deleted and its lock":         func(file string) { remove(file, file+".lock") },
		"log deleted":                  func(file string) { remove(file + "-wal") },
		"log of another":               func(file string) { remove(file + "-wal"); write(t, file+"-wal", w.whole["-wal"]) },
		"a folder for the log":         func(file string) { remove(file + "-wal"); indextest.Must(t, os.Mkdir(file+"-wal", 0o700)) },
		"a link for the log":           func(file string) { remove(file + "-wal"); indextest.Must(t, os.Symlink(file, file+"-wal")) },
		"a link to itself":             func(file string) { remove(file); indextest.Must(t, os.Symlink(file, file)) },
		"a folder for the lock's file": func(file string) { remove(file, file+".lock"); indextest.Must(t, os.Mkdir(file+".lock", 0o700)) },
	}
}

// olderText is what an index holds that is of an earlier state of the folder.
const olderText = "An older text"

// removeFiles deletes files that need not be there.
func removeFiles(t *testing.T, files ...string) {
	t.Helper()
	for _, f := range files {
		indextest.Must(t, os.RemoveAll(f))
	}
}

func setMetaIn(t *testing.T, file, key, value string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	indextest.Must(t, err)
	_, err = db.Exec("UPDATE meta SET value = ? WHERE key = ?", value, key)
	indextest.Must(t, err)
	indextest.Must(t, db.Close())
}

// scribble overwrites a file in place.
func scribble(t *testing.T, file string) {
	t.Helper()
	content, err := os.ReadFile(file)
	indextest.Must(t, err)
	for i := range content {
		content[i] = byte(i*7 + i>>8)
	}
	write(t, file, content)
}

// scribblePage overwrites the first page of a table: what is in it cannot be read, and
// nothing be added.
func scribblePage(t *testing.T, file, table string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	indextest.Must(t, err)
	var page, size int64
	indextest.Must(t, db.QueryRow("SELECT rootpage FROM sqlite_schema WHERE name = ?", table).Scan(&page))
	indextest.Must(t, db.QueryRow("PRAGMA page_size").Scan(&size))
	_, err = db.Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	indextest.Must(t, errors.Join(err, db.Close()))
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	indextest.Must(t, err)
	_, err = f.WriteAt(bytes.Repeat([]byte{0x5a}, int(size)), (page-1)*size)
	indextest.Must(t, errors.Join(err, f.Close()))
}

// touchAll has every file of the folder looked into: whoever does not read the
// index does not notice damage.
func (w *wrecked) touchAll(t *testing.T, _ string) {
	t.Helper()
	now := time.Now().Add(-30 * time.Minute)
	for i := range 20 {
		indextest.Must(t, os.Chtimes(w.Path(indextest.TextPath(i)), now, now))
	}
	mustSync(t, w.fresh, syncs.Scope{})
}

// TestHarmedWhileRunning harms the index of one that leads and one that follows, and with
// -full that of one alone.
func TestHarmedWhileRunning(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be deleted or replaced")
	}
	w := newWrecked(t)
	for name, harm := range w.harms(t) {
		if testing.Short() && !noticedUnlikeOthers[name] {
			continue
		}
		for _, processes := range []int{1, 2} {
			if processes == 1 && !*inFull {
				continue
			}
			t.Run(name+", "+[]string{"", "alone", "two"}[processes], func(t *testing.T) {
				file := filepath.Join(t.TempDir(), "cache", "x.db")
				indextest.Must(t, os.Mkdir(filepath.Dir(file), 0o700))
				w.lay(t, file, always)
				var all []*Index
				var before []*live.Follower
				for range processes {
					ix := w.new(t, file, w.model)
					keepRunning(t, ix)
					all, before = append(all, ix), append(before, ix.store.Follower(0))
				}
				w.model.TakeCount()
				harm(file)
				var group sync.WaitGroup
				for i, ix := range all {
					group.Go(func() { w.awaitRecovery(t, ix, before[i]) })
				}
				group.Wait()
				if n := w.model.TakeCount(); n > 0 {
					t.Errorf("%d texts were embedded again", n)
				}
				leaders := 0
				for _, ix := range all {
					if ix.folders[0].Storage.IndexingLease().TryAcquire() {
						leaders++
					}
				}
				if c := all[0].store.Follower(0); leaders != 1 && !c.Describe().IsUnsaved() && all[0].folders[0].Storage.IndexingLease().NotExclusiveReason() == nil {
					t.Errorf("%d of %d lead", leaders, processes)
				}
			})
		}
	}
}

// noticedUnlikeOthers are harms of which each is noticed by other code than the rest, which is enough
// to find races.
var noticedUnlikeOthers = map[string]bool{"deleted": true, "another of the same folder": true, "another that is damaged": true, "a folder in its place": true, "noise all over the file": true}

// TestNoiseInATextThatIsRead: damage that shows when a passage is read must not
// reach the reader, and the index that runs is built again.
func TestNoiseInATextThatIsRead(t *testing.T) {
	t.Parallel()
	w := newWrecked(t)
	for name, statement := range map[string]string{
		"noise":                "UPDATE texts SET text = replace(text, 'warfarin', 'arsenic!')",
		"text of another":      "UPDATE texts SET document = -document; UPDATE texts SET document = (SELECT max(document) FROM chunks) + (SELECT min(document) FROM chunks) + document",
		"no longer the tables": "ALTER TABLE texts RENAME TO words",
		"texts that are gone":  "DELETE FROM texts WHERE document % 2 = 0",
		"rows that are gone":   "DELETE FROM texts WHERE document % 2 = 0; DELETE FROM documents WHERE id % 2 = 0",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.db")
			w.lay(t, file, always)
			ix := w.new(t, file, w.model)
			keepRunning(t, ix)
			old := ix.store.Follower(0)
			w.model.TakeCount()
			execute(t, ix, statement)
			_, _ = ix.Search(t.Context(), asked[0])
			w.awaitRecovery(t, ix, old)
			if n := w.model.TakeCount(); n > 0 {
				t.Errorf("%d texts were embedded again", n)
			}
		})
	}
}

// TestLogIndexHarmed harms the index of the log, which is mapped into memory, while it
// is in use: the file is opened again, and nothing is read again.
func TestLogIndexHarmed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a file that is mapped cannot be cut")
	}
	w := newWrecked(t)
	for name, harm := range map[string]func(t *testing.T, shm string){
		"empty":       func(t *testing.T, shm string) { indextest.Must(t, os.Truncate(shm, 0)) },
		"cut":         func(t *testing.T, shm string) { indextest.Must(t, os.Truncate(shm, 100)) },
		"overwritten": func(t *testing.T, shm string) { scribble(t, shm) },
		"zeroed": func(t *testing.T, shm string) {
			f, err := os.OpenFile(shm, os.O_WRONLY, 0)
			indextest.Must(t, err)
			_, err = f.Write(make([]byte, 32<<10))
			indextest.Must(t, errors.Join(err, f.Close()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.db")
			w.lay(t, file, always)
			ix := w.new(t, file, w.model)
			keepRunning(t, ix)
			w.model.TakeCount()
			// A commit that is cut in two loses what the log has: harm between commits.
			idle, err := onDisk(ix.store.Follower(0)).Writer().Conn(t.Context())
			indextest.Must(t, err)
			harm(t, file+"-shm")
			indextest.Must(t, idle.Close())
			for _, q := range asked {
				a, err := ix.Search(t.Context(), q)
				if err != nil || len(a.Passages) == 0 {
					t.Fatalf("%q: %d passages, %v", q.Text, len(a.Passages), err)
				}
			}
			compareIndexes(t, ix, w.fresh)
			if n := w.model.TakeCount(); n > 0 {
				t.Errorf("%d texts were embedded again", n)
			}
		})
	}
}

// TestOlderFormat opens an index as format 6 left it.
func TestOlderFormat(t *testing.T) {
	t.Parallel()
	w := newWrecked(t)
	file := filepath.Join(t.TempDir(), "x.db")
	w.lay(t, file, func(s string) bool { return s != memindex.SnapshotSuffix })
	db, err := sql.Open("sqlite", file)
	indextest.Must(t, err)
	for _, statement := range []string{
		"UPDATE vectors SET vector = substr(vector, 1, length(vector) / 4 * 4)",
		"ALTER TABLE documents DROP COLUMN checksum", "ALTER TABLE texts DROP COLUMN checksum", "ALTER TABLE chunks DROP COLUMN checksum",
		"DROP TABLE changes", "DELETE FROM meta WHERE key = 'snapshot'", "UPDATE meta SET value = '6' WHERE key = 'format'",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	indextest.Must(t, db.Close())
	if n := w.recovers(t, file); n > 0 {
		t.Errorf("%d texts were embedded again", n)
	}
}

// TestNewerFormat: an index that this program is too old for is left alone.
func TestNewerFormat(t *testing.T) {
	t.Parallel()
	w := newWrecked(t)
	file := filepath.Join(t.TempDir(), "x.db")
	w.lay(t, file, always)
	db, err := sql.Open("sqlite", file)
	indextest.Must(t, err)
	for _, statement := range []string{fmt.Sprintf("UPDATE meta SET value = '%d' WHERE key = 'format'", catalog.FormatVersion+1), "ALTER TABLE documents RENAME TO papers", "ALTER TABLE texts RENAME COLUMN text TO words"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	indextest.Must(t, db.Close())
	before, err := os.ReadFile(file)
	indextest.Must(t, err)
	var said strings.Builder
	ix, err := New(Options{Folders: []string{w.Dir}, IndexPaths: []string{file}, Embedder: w.model, Logger: slog.New(slog.NewTextHandler(&said, nil))})
	indextest.Must(t, err)
	ix.folders[0].Storage.(*location.FileStorage).Location.IsInCacheDir = true
	indextest.Must(t, ix.Load(t.Context()))
	w.model.TakeCount()
	mustSync(t, ix, syncs.Scope{})
	compareIndexes(t, ix, w.fresh)
	if n := w.model.TakeCount(); n > 0 {
		t.Errorf("%d texts were embedded again", n)
	}
	if !strings.Contains(said.String(), "--index") || !strings.Contains(said.String(), "newer") {
		t.Errorf("it said %s", &said)
	}
	indextest.Must(t, ix.Close())
	if after, err := os.ReadFile(file); err != nil || string(before) != string(after) {
		t.Errorf("the file was changed, %v", err)
	}
}

// TestRescueOfHalf overwrites the middle of a file that holds vectors.
func TestRescueOfHalf(t *testing.T) {
	t.Parallel()
	w := newWrecked(t)
	file := filepath.Join(t.TempDir(), "x.db")
	w.lay(t, file, func(s string) bool { return s == "" })
	ix := w.open(t, file)
	mustSync(t, ix, syncs.Scope{})
	indextest.Must(t, ix.Close())
	removeFiles(t, file+memindex.SnapshotSuffix)
	content, err := os.ReadFile(file)
	indextest.Must(t, err)
	for at := len(content) * 2 / 5; at < len(content)*3/5; at++ {
		content[at] = byte(at * 31)
	}
	write(t, file, content)
	n := w.recovers(t, file)
	t.Logf("%d of %d texts were embedded again", n, w.all)
	if n > w.all*4/5 {
		t.Errorf("%d of %d texts were embedded again after a fifth of the file was lost", n, w.all)
	}
}

// TestRescueIsFinished: a process was killed after it had set the damaged file
// aside, at one moment or another.
func TestRescueIsFinished(t *testing.T) {
	t.Parallel()
	w := newWrecked(t)
	for name, rename := range map[string][]string{"file and log": {"-wal", ""}, "log only": {"-wal"}} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "x.db")
			w.lay(t, file, func(s string) bool { return s != memindex.SnapshotSuffix })
			for _, suffix := range rename {
				indextest.Must(t, os.Rename(file+suffix, file+".damaged"+suffix))
			}
			if n := w.recovers(t, file); n > 0 && name != "log only" {
				t.Errorf("%d texts were embedded again", n)
			}
		})
	}
}

// TestTwoFindDamageAtOnce: the second must not set aside what the first made.
func TestTwoFindDamageAtOnce(t *testing.T) {
	t.Parallel()
	w := newWrecked(t)
	rounds := 10
	if testing.Short() {
		rounds = 2 // the race detector needs no unlucky moment
	}
	for range rounds {
		file := filepath.Join(t.TempDir(), "x.db")
		w.lay(t, file, always)
		scribble(t, file)
		indextest.Must(t, os.Remove(file+"-wal"))
		w.model.TakeCount()
		var group sync.WaitGroup
		all := make([]*Index, 4)
		for i := range all {
			all[i] = w.new(t, file, w.model)
			group.Go(func() {
				if err := all[i].Load(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		for _, ix := range all {
			c := ix.store.Follower(0)
			if is := c.Condition(); is.State == catalog.FileReplaced || is.State == catalog.Unsaved {
				t.Errorf("its file was replaced, or it is in memory: %+v", is)
			}
		}
		mustSync(t, all[0], syncs.Scope{})
		compareIndexes(t, all[0], w.fresh)
		if n := w.model.TakeCount(); n > 0 {
			t.Errorf("%d texts were embedded again", n)
		}
		for _, ix := range all {
			indextest.Must(t, ix.Close())
		}
	}
}
