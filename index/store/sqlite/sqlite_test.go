package sqlite

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// opened opens a catalogue at a place, and closes it at the end of the test.
func opened(t *testing.T, at Location) *Catalog {
	t.Helper()
	c, err := Open(t.Context(), at, "m")
	must(t, err)
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

// TestPutIsAllOrNothing: of documents that are put together none is there when one
// cannot be saved, and the error names that one.
func TestPutIsAllOrNothing(t *testing.T) {
	c := opened(t, Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()})
	_, err := c.Writer().Exec("CREATE TRIGGER harm BEFORE INSERT ON documents WHEN NEW.path = 'b.md' BEGIN SELECT RAISE(ABORT, 'no'); END")
	must(t, err)
	skipped := func(path string) catalog.RecordWithBody {
		return catalog.RecordWithBody{Record: catalog.Record{Path: path, SkipReason: "it is empty"}}
	}
	w, err := c.Put(t.Context(), skipped("a.md"), skipped("b.md"), skipped("c.md"))
	if err == nil || !strings.Contains(err.Error(), "save b.md: ") || w.FirstChange != 0 {
		t.Errorf("written %+v, %v", w, err)
	}
	if page, err := catalogtest.Records(t.Context(), c); err != nil || len(page) != 0 {
		t.Errorf("there are %+v, %v", page, err)
	}
	if w, err := c.Put(t.Context(), skipped("a.md"), skipped("c.md")); err != nil || w.FirstChange != 1 || w.LastChange != 2 {
		t.Errorf("then written %+v, %v", w, err)
	}
}

// TestTwoFormatChanges: of two processes that open an older index, one empties
// it, and what that one saves stays.
func TestTwoFormatChanges(t *testing.T) {
	ctx, at := t.Context(), Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}
	c, err := Open(ctx, at, "m")
	must(t, err)
	_, err = c.Put(ctx, catalog.RecordWithBody{Record: catalog.Record{Path: "old.md", SkipReason: "no"}})
	must(t, err)
	must(t, c.SetValue(ctx, "format", "6"))
	must(t, c.Close())
	var all []*Catalog
	for i := range 2 {
		c := &Catalog{file: at.File}
		must(t, c.openFile(ctx))
		all = append(all, c)
		if i == 0 {
			must(t, c.migrate(ctx))
			_, err := c.Put(ctx, catalog.RecordWithBody{Record: catalog.Record{Path: "p.md", SkipReason: "no"}})
			must(t, err)
		}
	}
	// The second asked for the format before the first had changed it.
	must(t, all[1].transact(ctx, func(tx *sql.Tx) error { return all[1].migrateIn(ctx, tx) }))
	back, err := catalogtest.Records(ctx, all[0])
	if err != nil || len(back) != 1 || back[0].Path != "p.md" {
		t.Errorf("there are %v, %v", back, err)
	}
	for _, c := range all {
		must(t, c.Close())
	}
}

// TestPanicRollsBack: a panic in the middle of a change leaves nothing of it, and
// no transaction open.
func TestPanicRollsBack(t *testing.T) {
	c := opened(t, Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("no panic came through")
			}
		}()
		_, _ = c.writeDocuments(t.Context(), func(_ context.Context, w *changeTx) error {
			must(t, w.recordChanged(t.Context(), 1))
			panic("half-way")
		})
	}()
	if last, err := catalogtest.LastChange(t.Context(), c); err != nil || last != 0 {
		t.Errorf("change %d was kept, %v", last, err)
	}
	_, err := c.Put(t.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: "p.md", SkipReason: "no"}}) // waits for ever where the transaction is still open
	must(t, err)
}

// TestMadeByOthersAtOnce: who opens an index that others make this moment must
// not take it for somebody else's.
func TestMadeByOthersAtOnce(t *testing.T) {
	dir := t.TempDir()
	for range 20 {
		at := Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: dir}
		faults := make(chan error, 8)
		for range cap(faults) {
			go func() {
				c, err := Open(t.Context(), at, "m")
				if err == nil {
					err = c.Close()
				}
				faults <- err
			}()
		}
		for range cap(faults) {
			if err := <-faults; err != nil {
				t.Error(err)
			}
		}
	}
}

// TestOldFormatsAreRemoved when nobody has written to them for long and nobody
// has them open, and not the files of other folders.
func TestOldFormatsAreRemoved(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	long := time.Now().Add(-keepFormats - time.Hour)
	mine := at("notes-0123456789ab" + formatSuffix())
	for _, name := range []string{
		"notes-0123456789ab.db", "notes-0123456789ab.db.lock", "notes-0123456789ab.db.snapshot",
		"notes-0123456789ab.v2.db", "notes-0123456789ab.v2.db.lock",
		"notes-0123456789ab.v3.db", filepath.Base(mine), "notes-0123456789ab-generated.v3.db", "notes-0123456789ab-generated" + formatSuffix(),
		"notes-ffffffffffff.db", "notes-0123456789abc.db", "notes-0123456789ab.vx.db",
	} {
		must(t, os.WriteFile(at(name), nil, 0o600))
		must(t, os.Chtimes(at(name), long, long))
	}
	must(t, os.WriteFile(at("notes-0123456789ab.v3.db-wal"), nil, 0o600))
	open := flock.New(at("notes-0123456789ab.v2.db.lock"))
	if locked, err := open.TryLock(); !locked || err != nil {
		t.Fatalf("there are no locks here: %v", err)
	}
	defer open.Close()
	must(t, os.Chtimes(open.Path(), long, long)) // the lock alone must do
	RemoveOldFormats(mine, time.Now())
	for name, want := range map[string]bool{
		"notes-0123456789ab.db": false, "notes-0123456789ab.db.lock": false, "notes-0123456789ab.db.snapshot": false,
		"notes-0123456789ab-generated.v3.db": false, "notes-0123456789ab-generated" + formatSuffix(): false,
		"notes-0123456789ab.v2.db": true, "notes-0123456789ab.v3.db": true, filepath.Base(mine): true,
		"notes-ffffffffffff.db": true, "notes-0123456789abc.db": true, "notes-0123456789ab.vx.db": true,
	} {
		if _, err := os.Stat(at(name)); (err == nil) != want {
			t.Errorf("%s: there is %v, want %v", name, err == nil, want)
		}
	}
}

// TestContract runs what every catalogue has to fulfil.
func TestContract(t *testing.T) {
	catalogtest.Test(t, func(t *testing.T) func(string) catalog.Catalog {
		at := Location{File: filepath.Join(t.TempDir(), "x.db"), Folder: t.TempDir()}
		return func(model string) catalog.Catalog {
			c, err := Open(t.Context(), at, model)
			must(t, err)
			return c
		}
	})
}

// TestWithText lists the documents that have lost neither their text nor their chunks, and
// leaves the connection as it was.
func TestWithText(t *testing.T) {
	c := opened(t, newPlace(t))
	for _, path := range []string{"a.md", "b.md", "c.md"} {
		_, err := c.Put(t.Context(), document(path, path))
		if err != nil {
			t.Fatal(err)
		}
	}
	all, err := c.RowsWithText(t.Context())
	if err != nil || len(all) != 3 {
		t.Fatalf("with a text are %v, %v", all, err)
	}
	for i, table := range []string{"texts", "chunks"} {
		if _, err := c.Writer().Exec("DELETE FROM "+table+" WHERE document = ?", all[i]); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := c.RowsWithText(t.Context()); err != nil || !slices.Equal(left, all[2:]) {
		t.Errorf("with a text are %v, want %v, %v", left, all[2:], err)
	}
	var size int
	if err := c.read.QueryRow("PRAGMA cache_size").Scan(&size); err != nil || size != -8000 {
		t.Errorf("a connection keeps %d, %v", size, err)
	}
}
