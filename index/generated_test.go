package index

import (
	"testing"

	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/syncer"
)

// openInCache is an index in the cache folder of the user.
func openInCache(t *testing.T, dir string, e embed.Embedder, generated bool) *Index {
	t.Helper()
	ix, err := New(Options{Folders: []string{dir}, Embedder: e, Logger: indextest.QuietLog, Generated: generated})
	indextest.Must(t, err)
	indextest.Must(t, ix.Load(t.Context()))
	t.Cleanup(func() { indextest.Must(t, ix.Close()) })
	return ix
}

// TestGeneratedSideBySide: of two processes on one folder, of which one has what
// machines made indexed, each has what it was asked for, and neither undoes what the
// other did. What one has embedded the other has too.
func TestGeneratedSideBySide(t *testing.T) {
	cache := t.TempDir()
	for _, name := range []string{"XDG_CACHE_HOME", "LocalAppData", "HOME"} {
		t.Setenv(name, cache)
	}
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha words", "package-lock.json": `{"alpha": "beta"}`})
	model := indextest.NewCountingModel(t)
	check := func(ix *Index, want, indexed int) {
		t.Helper()
		report := mustSync(t, ix, syncer.Scope{})
		if a := mustSearch(t, ix, Query{Text: "alpha", TopK: 5}); len(a.Passages) != want {
			t.Errorf("found %s, want %d", found(a), want)
		}
		if report.Indexed != indexed || report.Removed > 0 {
			t.Errorf("%d were indexed and %d removed, want %d and none", report.Indexed, report.Removed, indexed)
		}
	}
	without := openInCache(t, n.Dir, model, false)
	check(without, 1, 1)
	model.TakeCount()
	with := openInCache(t, n.Dir, model, true)
	check(with, 2, 2)
	if taken := model.TakeCount(); taken != 1 {
		t.Errorf("%d texts were embedded, want the one that a machine made", taken)
	}
	for range 2 {
		check(without, 1, 0)
		check(with, 2, 0)
	}
	n.Write("b.md", "alpha again")
	check(with, 3, 1)
	check(without, 2, 1)
}
