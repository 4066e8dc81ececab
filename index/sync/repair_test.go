package sync_test

import (
	"errors"
	"path/filepath"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
	"vademecum/internal/base/panics"
)

// TestIndexInFolderThatGoes: an index that lies in its folder goes and comes back with
// it. What is known of the documents stays meanwhile, and nothing is built again.
func TestIndexInFolderThatGoes(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	k := syncertest.OpenFiles(t, []string{filepath.Join(n.Dir, ".index", "x.db")}, indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, k, sync.Scope{})
	before, view := k.Store.Follower(0), k.Freshness()
	mend := func(when string) {
		t.Helper()
		indextest.Must(t, k.RepairCatalogs(t.Context(), 0))
		if f := k.Store.Follower(0); f != before || k.Freshness().Since(view, false).HasCaughtUp || len(k.Store.DocumentsIn(0, live.AnyPath)) != 1 || k.Store.Follower(0).Condition().State == catalog.Damaged {
			t.Fatalf("%s: another index (%t), damaged (%t), lost (%t), %d documents", when, f != before, k.Store.Follower(0).Condition().State == catalog.Damaged, k.Freshness().Since(view, false).HasCaughtUp, k.Store.CountDocuments())
		}
	}
	back := syncertest.HideFolder(t, n.Dir)
	if syncertest.SQLiteCatalog(k.Store.Follower(0)).HasLostWAL() {
		t.Error("the log alone is lost")
	}
	mend("before anybody has looked")
	mend("while it is missing")
	back()
	k.FindUnresponsiveFileSystems()
	mend("when it is back")
	n.Write("b.md", "beta")
	if r := syncertest.MustSync(t, k, sync.Scope{}); r.SearchableDocuments != 2 || r.Indexed != 1 {
		t.Errorf("then %+v", r)
	}
}

// TestLostTextsAreReadAgain: a sync that checks texts has those documents be read again
// whose texts are not there, in a file and in a database.
func TestLostTextsAreReadAgain(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta"})
	k := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, k, sync.Scope{})
	old := k.Store.Follower(0)
	_, err := syncertest.SQLiteCatalog(k.Store.Follower(0)).Writer().Exec("DELETE FROM texts")
	indextest.Must(t, err)
	if syncertest.MustSync(t, k, sync.Scope{}); k.Store.Follower(0) != old {
		t.Fatal("it was looked for without being asked")
	}
	syncertest.MustSync(t, k, sync.Scope{CheckTexts: true})
	if got := syncertest.Content(t, k, "a.md"); got != "alpha" || k.Store.Follower(0) == old {
		t.Errorf("a.md holds %q", got)
	}

	s := newShared(t, n)
	indextest.Must(t, s.Load(t.Context()))
	syncertest.MustSync(t, s.Syncer, sync.Scope{})
	s.set(func(f *faults) { f.lostText = true })
	areas := s.AllSubtrees()
	if err := s.CheckForLostTexts(t.Context(), append(areas, areas...)); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("the texts that a database has lost are found as %v", err)
	}
	s.set(func(f *faults) { f.lostText = false })
	before := s.Store.DocumentsIn(0, live.AnyPath)
	indextest.Must(t, s.RepairCatalogs(t.Context(), 0))
	for _, old := range before {
		if now, ok := s.Store.Document(old.Location()); !ok || now.ID == old.ID {
			t.Errorf("%s was not read again", old.Path)
		}
	}
	if s.said.count("the index has lost the text of some documents, reading them again") != 1 {
		t.Error("it does not say so")
	}
}

// TestTornIsLoadedAgain: memory that a panic has left half changed is loaded again before
// anything else is done.
func TestTornIsLoadedAgain(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta"})
	k := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	syncertest.MustSync(t, k, sync.Scope{})
	k.Store.ChunkIndex = &breaking{ChunkIndex: k.Store.ChunkIndex, delete: true}
	err := panics.Catch(func() error { return k.Store.Remove(t.Context(), 0, "b.md") })
	if !panics.Is(err) || !k.Store.NeedsReload() {
		t.Fatalf("it is whole: %v", err)
	}
	indextest.Must(t, k.RepairCatalogs(t.Context(), sync.RepairRetryInterval))
	if k.Store.NeedsReload() || k.Store.CountDocuments() != 1 || !k.HasReloadedMemoryRecently() {
		t.Errorf("it is torn: %t, with %d documents", k.Store.NeedsReload(), k.Store.CountDocuments())
	}
}
