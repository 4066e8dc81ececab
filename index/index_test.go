package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"vademecum/docs/formats"
	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/live"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/index/store/sqlite"
	"vademecum/index/sync"
)

// open makes an index of folders whose files lie in one place, so that a test
// can open it again.
func open(t testing.TB, files string, e embed.Embedder, dirs ...string) *Index {
	t.Helper()
	var names []string
	for _, d := range dirs {
		names = append(names, filepath.Join(files, filepath.Base(filepath.Dir(d))+filepath.Base(d)+".db"))
	}
	return openOn(t, names, e, dirs...)
}

// openOn is open with the files named.
func openOn(t testing.TB, files []string, e embed.Embedder, dirs ...string) *Index {
	t.Helper()
	ix, err := New(Options{Folders: dirs, IndexPaths: files, Embedder: e, Logger: indextest.QuietLog})
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	return ix
}

// twoOn opens a folder twice with one index file, as two processes do.
func twoOn(t testing.TB, dir string) (both [2]*Index) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "x.db")
	for i := range both {
		both[i] = openOn(t, []string{file}, indextest.NewCountingModel(t), dir)
	}
	return both
}

func followAll(t testing.TB, ix *Index) {
	t.Helper()
	for i := range ix.folders {
		if _, err := ix.store.Follow(t.Context(), i); err != nil {
			t.Error(err)
		}
	}
}

func mustSync(t testing.TB, ix *Index, scope sync.Scope) notice.Report {
	t.Helper()
	r, err := ix.Sync(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	if err := ix.Embed(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r
}

func mustSearch(t testing.TB, ix *Index, q Query) Answer {
	t.Helper()
	a, err := ix.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range a.Passages {
		if p.Score > 1 {
			t.Errorf("%q: %s has a score of %.2f, above that of the best", q.Text, p.Document.Path, p.Score)
		}
	}
	return a
}

// found lists the paths of an answer, best first.
func found(a Answer) string {
	var paths []string
	for _, p := range a.Passages {
		paths = append(paths, p.Path)
	}
	return strings.Join(paths, " ")
}

func listed(ix *Index) string {
	var paths []string
	for _, d := range ix.listDocuments(allDocuments) {
		if d.SkipReason != "" {
			paths = append(paths, d.Path+"("+d.SkipReason.String()+")")
		} else {
			paths = append(paths, d.Path)
		}
	}
	return strings.Join(paths, " ")
}

func TestMain(m *testing.M) {
	formats.RunIfChild()
	runCrashChild()
	os.Exit(m.Run())
}

// onDisk is the catalogue that a follower is of.
func onDisk(c *live.Follower) *sqlite.Catalog { return c.Catalog.(*sqlite.Catalog) }

// waitReady waits until an index is up to date and every chunk has its vector, or
// something has failed.
func waitReady(t testing.TB, ix *Index) {
	t.Helper()
	indextest.Eventually(t, time.Minute, "the index is up to date", func() bool {
		s := ix.State()
		_, bare := ix.store.CountChunks()
		return s.Phase == progress.Failed || s.Failure != "" || s.Phase == progress.Ready && !s.IsBehind() && (s.EmbedFailure != "" || !s.IsPeerEmbeddingDue && (bare == 0 || len(ix.store.DocumentsToEmbed()) == 0))
	})
}

// allDocuments is the filter that means all.
var allDocuments search.Filter
