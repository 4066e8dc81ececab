package sync_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// fill lets the file of a catalogue grow no more, as on a disk that is full.
func fill(t *testing.T, ix *sync.Syncer) {
	t.Helper()
	var pages int
	c := ix.Store.Follower(0)
	if err := syncertest.SQLiteCatalog(c).Writer().QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if _, err := syncertest.SQLiteCatalog(c).Writer().Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
		t.Fatal(err)
	}
}

// TestCatalogueGoesOverToMemory fills the disk under an index, and makes room
// again: nothing is missing at any time, or embedded twice.
func TestCatalogueGoesOverToMemory(t *testing.T) {
	n := indextest.NewNotesFolder(t, indextest.ManyTexts(20))
	n.Write("gone.md", "the gone one")
	file, model := filepath.Join(t.TempDir(), "x.db"), indextest.NewCountingModel(t)
	ix := syncertest.OpenFiles(t, []string{file}, model, n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	embedded := model.TakeCount()
	fill(t, ix)
	n.Remove("gone.md")
	for i := range 40 {
		n.Write(fmt.Sprintf("late/%d.md", i), fmt.Sprintf("# Late %d\n\nlate%d came later", i, i))
	}
	n.Write("0.md", "changed entirely")
	if r := syncertest.MustSync(t, ix, sync.Scope{}); r.Indexed != 41 || r.Unchanged != 19 || r.Removed != 1 || r.SearchableDocuments != 60 {
		t.Errorf("reported %+v", r)
	}
	if !ix.Store.Follower(0).Describe().IsUnsaved() {
		t.Fatal("the disk takes more than it can")
	}
	check := func(ix *sync.Syncer, when string) {
		t.Helper()
		for query, want := range map[string]string{"late39": "late/39.md", "changed entirely": "0.md", "Note7": "7.md"} {
			if got := syncertest.BestPath(t, ix, query); got != want {
				t.Errorf("%s: %s is found in %q", when, query, got)
			}
		}
		if docs := ix.Store.CountDocuments(); docs != 60 {
			t.Errorf("%s: %d documents", when, docs)
		}
	}
	check(ix, "in memory")
	if again := model.TakeCount() - embedded; again > 41 {
		t.Errorf("%d texts were embedded for 41 that are new", again)
	}
	if err := ix.Store.Reload(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	check(ix, "loaded again")
	embedded = model.TakeCount()
	if err := ix.RepairCatalogs(t.Context(), 0); err != nil || ix.Store.Follower(0).Describe().IsUnsaved() {
		t.Fatalf("it is not taken back to the disk: %v", err)
	}
	check(ix, "on the disk")
	syncertest.Close(t, ix)
	other := syncertest.OpenFiles(t, []string{file}, model, n.Dir)
	if r := syncertest.MustSync(t, other, sync.Scope{}); r.Unchanged != 60 || r.Indexed != 0 {
		t.Errorf("from the disk: %+v", r)
	}
	check(other, "from the disk")
	if again := model.TakeCount() - embedded; again > 0 {
		t.Errorf("%d texts were embedded again", again)
	}
}

// TestVectorsOfAFullDisk: what the model gave is kept when the disk takes it no
// more.
func TestVectorsOfAFullDisk(t *testing.T) {
	n := indextest.NewNotesFolder(t, indextest.ManyTexts(30))
	model := indextest.NewCountingModel(t)
	ix := syncertest.OpenFiles(t, []string{filepath.Join(t.TempDir(), "x.db")}, model, n.Dir)
	if _, err := ix.Sync(t.Context(), sync.Scope{}); err != nil {
		t.Fatal(err)
	}
	fill(t, ix)
	if err := ix.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !ix.Store.Follower(0).Describe().IsUnsaved() || ix.UnsavedReason() == nil || ix.Store.CountMissingVectors(0) > 0 {
		t.Errorf("unsaved %t, %d without a vector", ix.Store.Follower(0).Describe().IsUnsaved(), ix.Store.CountMissingVectors(0))
	}
	chunks, _ := ix.Store.CountChunks()
	if model.TakeCount() > chunks {
		t.Errorf("%d texts were embedded for %d passages", model.TakeCount(), chunks)
	}
}

// TestFullDiskBetweenRuns: what shows it need not be a run.
func TestFullDiskBetweenRuns(t *testing.T) {
	n := indextest.NewNotesFolder(t, indextest.ManyTexts(5))
	ix := syncertest.OpenFiles(t, []string{filepath.Join(t.TempDir(), "x.db")}, indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, ix, sync.Scope{})
	fill(t, ix)
	c := ix.Store.Follower(0)
	if err := c.SetValue(t.Context(), "large", strings.Repeat("x", 1<<20)); err == nil {
		t.Fatal("the disk takes more than it can")
	}
	if c.Condition().State != catalog.WriteRejected {
		t.Fatal("it is not seen that the disk accepts no more data")
	}
	if err := ix.RepairCatalogs(t.Context(), sync.RepairRetryInterval); err != nil || !ix.Store.Follower(0).Describe().IsUnsaved() {
		t.Errorf("it was not mended: %v", err)
	}
	if got := syncertest.BestPath(t, ix, "Note3"); got != "3.md" {
		t.Errorf("found %q", got)
	}
}
