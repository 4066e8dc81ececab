package index

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/store/catalog"
)

// TestFileTakenByAnotherFormat: a running server leaves a file alone that another
// version has emptied for its own format, and goes on with all documents and
// vectors.
func TestFileTakenByAnotherFormat(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha words here", "b.md": "beta words here"})
	file := filepath.Join(t.TempDir(), "x.db")
	model := indextest.NewCountingModel(t)
	ix := started(t, file, n.Dir, model)
	model.TakeCount()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(10000)")
	indextest.Must(t, err)
	defer func() { indextest.Must(t, db.Close()) }()
	_, err = db.Exec(fmt.Sprintf("BEGIN IMMEDIATE; DELETE FROM documents; DELETE FROM chunks; DELETE FROM texts; UPDATE meta SET value = '%d' WHERE key = 'format'; COMMIT", catalog.FormatVersion+1))
	indextest.Must(t, err)
	n.Write("c.md", "gamma words here")
	indextest.Eventually(t, indextest.ShortTimeout, "the third document is found beside the others", func() bool {
		documents := ix.store.CountDocuments()
		_, bare := ix.store.CountChunks()
		return documents == 3 && bare == 0 && ix.store.Follower(0).Describe().IsUnsaved()
	})
	var documents int
	indextest.Must(t, db.QueryRow("SELECT count(*) FROM documents").Scan(&documents))
	if _, err := os.Stat(file + ".damaged"); documents != 0 || err == nil {
		t.Errorf("%d documents were written to it, it was set aside: %v", documents, err == nil)
	}
	if again := model.TakeCount(); again != 1 {
		t.Errorf("%d texts were embedded, want one", again)
	}
}
