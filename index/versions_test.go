package index

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

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
		"notes-0123456789ab.v3.db", filepath.Base(mine),
		"notes-ffffffffffff.db", "notes-0123456789abc.db", "notes-0123456789ab.vx.db",
	} {
		mustDo(t, os.WriteFile(at(name), nil, 0o600))
		mustDo(t, os.Chtimes(at(name), long, long))
	}
	mustDo(t, os.WriteFile(at("notes-0123456789ab.v3.db-wal"), nil, 0o600))
	open := newLease(at("notes-0123456789ab.v2.db.lock"))
	if !open.held() {
		t.Fatal("there are no locks here")
	}
	defer func() { mustDo(t, open.release()) }()
	within(t, seconds, "a sign of life", func() bool { info, err := os.Stat(open.file); return err == nil && info.ModTime().After(long) })
	mustDo(t, os.Chtimes(open.file, long, long)) // the lock alone must do
	removeOldFormats(mine, time.Now())
	for name, want := range map[string]bool{
		"notes-0123456789ab.db": false, "notes-0123456789ab.db.lock": false, "notes-0123456789ab.db.snapshot": false,
		"notes-0123456789ab.v2.db": true, "notes-0123456789ab.v3.db": true, filepath.Base(mine): true,
		"notes-ffffffffffff.db": true, "notes-0123456789abc.db": true, "notes-0123456789ab.vx.db": true,
	} {
		if _, err := os.Stat(at(name)); (err == nil) != want {
			t.Errorf("%s: there is %v, want %v", name, err == nil, want)
		}
	}
}

// TestFileTakenByAnotherFormat: a running server leaves a file alone that another
// version has emptied for its own format, and goes on with all documents and
// vectors.
func TestFileTakenByAnotherFormat(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "alpha words here", "b.md": "beta words here"})
	file := filepath.Join(t.TempDir(), "x.db")
	model := newCounting(t)
	ix := started(t, file, n.dir, model)
	model.taken()
	db, err := sql.Open("sqlite", dataSource(file, []string{"busy_timeout(10000)"}))
	mustDo(t, err)
	defer func() { mustDo(t, db.Close()) }()
	_, err = db.Exec(fmt.Sprintf("BEGIN IMMEDIATE; DELETE FROM documents; DELETE FROM chunks; DELETE FROM texts; UPDATE meta SET value = '%d' WHERE key = 'format'; COMMIT", format+1))
	mustDo(t, err)
	n.write("c.md", "gamma words here")
	within(t, seconds, "the third document is found beside the others", func() bool {
		documents := ix.store.countDocuments()
		_, bare := ix.store.countChunks()
		return documents == 3 && bare == 0 && ix.store.catalogue(0).unsaved
	})
	var documents int
	mustDo(t, db.QueryRow("SELECT count(*) FROM documents").Scan(&documents))
	if _, err := os.Stat(file + asideSuffix); documents != 0 || err == nil {
		t.Errorf("%d documents were written to it, it was set aside: %v", documents, err == nil)
	}
	if again := model.taken(); again != 1 {
		t.Errorf("%d texts were embedded, want one", again)
	}
}
