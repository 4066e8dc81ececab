package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"vademecum/index/indextest"
	"vademecum/index/memindex"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
)

// TestStatusOnlyLooks: whatever state an index is in, status changes no file.
func TestStatusOnlyLooks(t *testing.T) {
	t.Parallel()
	type wanted struct{ none, damaged bool }
	noSnapshot := func(t *testing.T, file string) { indextest.Must(t, os.Remove(file+memindex.SnapshotSuffix)) }
	exec := func(statement string) func(*testing.T, string) {
		return func(t *testing.T, file string) { executeIn(t, file, statement) }
	}
	for name, tt := range map[string]struct {
		change func(t *testing.T, file string)
		want   wanted
	}{
		"whole":                       {func(*testing.T, string) {}, wanted{}},
		"no snapshot":                 {noSnapshot, wanted{}},
		"a snapshot of another state": {exec("UPDATE meta SET value = 'another' WHERE key = 'snapshot'"), wanted{}},
		"of a folder that is gone":    {exec("UPDATE meta SET value = '/nowhere/at/all' WHERE key = 'folder'"), wanted{}},
		"an older format":             {exec(fmt.Sprintf("UPDATE meta SET value = '%d' WHERE key = 'format'", catalog.FormatVersion-1)), wanted{none: true}},
		"no model yet":                {exec("DELETE FROM meta WHERE key = 'model'"), wanted{none: true}},
		"no table yet":                {func(t *testing.T, file string) { write(t, file, nil) }, wanted{none: true}},
		"another was set aside": {func(t *testing.T, file string) {
			whole, err := os.ReadFile(file)
			indextest.Must(t, err)
			write(t, file+".damaged", whole)
		}, wanted{}},
		"a table is gone": {func(t *testing.T, file string) {
			noSnapshot(t, file)
			executeIn(t, file, "DROP TABLE documents")
		}, wanted{damaged: true}},
		"a view in it": {exec("CREATE VIEW v AS SELECT 1"), wanted{damaged: true}},
		"a row is changed": {func(t *testing.T, file string) {
			noSnapshot(t, file)
			executeIn(t, file, "UPDATE documents SET title = 'another' WHERE path = 'b.md'")
		}, wanted{damaged: true}},
		"cut short": {func(t *testing.T, file string) {
			noSnapshot(t, file)
			cut(t, file, 8192)
		}, wanted{damaged: true}},
	} {
		t.Run(name, func(t *testing.T) {
			n, dir := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta"}), t.TempDir()
			file := filepath.Join(dir, "x.db")
			ix, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
			indextest.Must(t, err)
			indextest.Must(t, ix.Load(t.Context()))
			mustSync(t, ix, sync.Scope{})
			indextest.Must(t, ix.store.SaveSnapshot(t.Context(), 0))
			indextest.Must(t, ix.Close())
			tt.change(t, file)
			before := filesIn(t, dir)
			s := lookAt(t, n.Dir, file)
			if after := filesIn(t, dir); !maps.Equal(before, after) {
				t.Errorf("the files were\n%v\nand are\n%v", before, after)
			}
			got := wanted{s.Folders[0].Bytes == 0, s.Folders[0].Damage != ""}
			documents := 2
			if tt.want != (wanted{}) {
				documents = 0
			}
			if got != tt.want || s.Documents != documents || s.Chunks != documents {
				t.Errorf("it says %+v", s)
			}
		})
	}
}

// TestStatusTakesNoDuty: status names the process that has the duty to index, and
// nobody when there is none.
func TestStatusTakesNoDuty(t *testing.T) {
	t.Parallel()
	n, dir := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), t.TempDir()
	file := filepath.Join(dir, "x.db")
	reopen(t, n.Dir, file, false)
	if s := lookAt(t, n.Dir, file); s.Folders[0].Indexer != nil {
		t.Errorf("it names %+v", s.Folders[0].Indexer)
	}
	ix, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
	indextest.Must(t, err)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- ix.Run(ctx) }()
	indextest.Eventually(t, indextest.ShortTimeout, "status names the indexer", func() bool {
		of := lookAt(t, n.Dir, file).Folders[0].Indexer
		return of != nil && of.PID == os.Getpid()
	})
	stop()
	indextest.Must(t, <-done)
	indextest.Must(t, ix.Close())
	lock := flock.New(file + ".lock") // as another status has it for a moment
	if shared, err := lock.TryRLock(); !shared {
		t.Fatal(err)
	}
	if s := lookAt(t, n.Dir, file); s.Folders[0].Indexer != nil {
		t.Errorf("after its end it names %+v", s.Folders[0].Indexer)
	}
	indextest.Must(t, lock.Close())
}

// executeIn changes an index behind its back, and leaves no log.
func executeIn(t *testing.T, file, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	indextest.Must(t, err)
	_, err = db.Exec(statement)
	indextest.Must(t, err)
	indextest.Must(t, db.Close())
}

// filesIn is what lies in a folder: names, sizes, times and contents.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	indextest.Must(t, err)
	files := make(map[string]string)
	for _, e := range entries {
		info, err := e.Info()
		indextest.Must(t, err)
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		indextest.Must(t, err)
		files[e.Name()] = fmt.Sprintf("%s, %d bytes, %x", info.ModTime().Format(time.StampNano), len(content), sha256.Sum256(content))
	}
	return files
}

// status reads what an index that is closed left on the disk.
func lookAt(t *testing.T, dir, file string) Status {
	t.Helper()
	ix, err := New(Options{Folders: []string{dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	s, err := ix.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestStatusWithoutModel: a caller with the built-in embedding is told how many passages
// have no vector of the model that the folder is indexed with.
func TestStatusWithoutModel(t *testing.T) {
	t.Parallel()
	n, file := indextest.NewNotesFolder(t, indextest.ManyTexts(3)), filepath.Join(t.TempDir(), "x.db")
	model := indextest.NewCountingModel(t)
	model.SetDown(true)
	o := Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: model, Logger: indextest.QuietLog}
	bare := func() (bare, all int) {
		t.Helper()
		asking := o
		asking.Embedder = indextest.Builtin(t)
		ix, err := New(asking)
		indextest.Must(t, err)
		defer ix.Close()
		s, err := ix.Status(t.Context())
		indextest.Must(t, err)
		return s.UnembeddedChunks, s.Chunks
	}
	ix := loaded(t, o)
	_, err := ix.Sync(t.Context(), sync.Scope{})
	indextest.Must(t, err)
	if n, all := bare(); n != all || all == 0 {
		t.Errorf("%d of %d passages have no vector before the model answers", n, all)
	}
	model.SetDown(false)
	indextest.Must(t, ix.Embed(t.Context()))
	if n, all := bare(); n != 0 {
		t.Errorf("%d of %d passages have no vector in the end", n, all)
	}
}
