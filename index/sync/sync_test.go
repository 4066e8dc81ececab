package sync_test

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/location"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// losing are storages whose catalogues refuse documents twice, as when another process has
// the duty before this one knows.
type losing struct{ roots.Storages }

func (h losing) StorageOf(f *docs.Folder, number int) (roots.Storage, error) {
	kept, err := h.Storages.StorageOf(f, number)
	return losingStorage{kept}, err
}

type losingStorage struct{ roots.Storage }

func (h losingStorage) Open(ctx context.Context, model string) (roots.OpenedCatalog, error) {
	o, err := h.Storage.Open(ctx, model)
	o.Catalog = &losingCatalog{Catalog: o.Catalog}
	return o, err
}

type losingCatalog struct {
	catalog.Catalog
	puts atomic.Int64
}

func (c *losingCatalog) Put(ctx context.Context, entries ...catalog.RecordWithBody) (catalog.CommitResult, error) {
	if c.puts.Add(1) <= 2 {
		return catalog.CommitResult{}, catalog.ErrLeaseLost
	}
	return c.Catalog.Put(ctx, entries...)
}

// TestOvertakenUnknowingly: what could not be saved as another process had the duty is
// done before it is reported that all is, also what is read apart.
func TestOvertakenUnknowingly(t *testing.T) {
	for name, text := range map[string]string{"b.md": "beta", "b.html": "<p>beta</p>"} {
		t.Run(name, func(t *testing.T) {
			n := indextest.NewNotesFolder(t, map[string]string{name: text})
			e := indextest.NewCountingModel(t)
			storages := losing{location.FileStorages{IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Model: e.ModelIdentity()}}
			k := syncertest.NewInStorages(t, storages, syncertest.Options{Folders: []string{n.Dir}, Embedder: e})
			indextest.Must(t, k.Load(t.Context()))
			syncertest.MustSync(t, k, sync.Scope{})
			if got := syncertest.BestPath(t, k, "beta"); got != name {
				t.Errorf("it finds %q", got)
			}
		})
	}
}

// TestCompare takes up what was saved, by a scan of one's own or of the process that indexes.
func TestCompare(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	for _, ix := range syncertest.OpenTwice(t, n.Dir) {
		syncertest.MustSync(t, ix, sync.Scope{})
		n.Write("b.md", "beta")
		indextest.Must(t, ix.CompareAndIndex(t.Context(), []int{0}))
		if _, ok := ix.Store.Document(search.Location{Folder: 0, Path: "b.md"}); !ok {
			t.Error("it was not scanned")
		}
		n.Remove("b.md")
		indextest.Must(t, ix.Folders.ReleaseLeases())
	}
}
