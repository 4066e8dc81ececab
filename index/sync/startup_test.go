package sync_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/index/store/location"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// TestLoadPatiently: a server waits for a database that will be back, and for nothing else.
func TestLoadPatiently(t *testing.T) {
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		open []error
		want error
		took time.Duration
	}{
		"it is there":          {nil, nil, 0},
		"away":                 {[]error{catalog.ErrDatabaseUnreachable, catalog.ErrDatabaseUnreachable}, nil, 2 * time.Second},
		"no library":           {[]error{catalog.ErrLibraryNotFound}, nil, time.Second},
		"not ready":            {[]error{catalog.ErrSetupRequired}, nil, 3 * time.Second},
		"takes no changes":     {[]error{catalog.ErrDatabaseReadOnly}, nil, 3 * time.Second},
		"broken":               {[]error{broken}, broken, 0},
		"away and then broken": {[]error{catalog.ErrDatabaseUnreachable, broken}, broken, time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
			synctest.Test(t, func(t *testing.T) {
				s := newShared(t, n)
				s.set(func(f *faults) { f.open = c.open })
				began := time.Now()
				err := s.LoadWithRetry(t.Context())
				if took := time.Since(began); !errors.Is(err, c.want) || took != c.took {
					t.Errorf("it has loaded after %s: %v", took, err)
				}
				waited := 0
				if c.took > 0 {
					waited = 1
				}
				if n := s.said.count("cannot be loaded yet"); n != waited {
					t.Errorf("it says %d times that it waits", n)
				}
				if loaded := s.said.count("the index is loaded now") == 1; loaded != (waited == 1 && err == nil) {
					t.Errorf("it says that it is loaded: %t", loaded)
				}
			})
		})
	}
}

// TestGivenUpWhileAway: who ends while the database is away is told why there is no index.
func TestGivenUpWhileAway(t *testing.T) {
	s := newShared(t, indextest.NewNotesFolder(t, nil))
	s.set(func(f *faults) { f.open = []error{catalog.ErrDatabaseUnreachable} })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.LoadWithRetry(ctx); !errors.Is(err, catalog.ErrDatabaseUnreachable) {
		t.Errorf("it ends with %v", err)
	}
}

// TestUnusedModel: a user of the built-in embedding is told of the vectors that it does
// not use.
func TestUnusedModel(t *testing.T) {
	s := newShared(t, indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}))
	s.set(func(f *faults) { f.kept = "ollama/model" })
	indextest.Must(t, s.LoadWithRetry(t.Context()))
	if unused := s.UnusedModels(); len(unused) != 1 || unused[0] != "ollama/model" || s.said.count("whose vectors this server does not use") != 1 {
		t.Errorf("unused are %q", unused)
	}
}

// failing are storages in memory whose catalogues fail as they are read for the first time.
type failing struct {
	location.MemoryStorages
	fail func() error
}

func (f failing) StorageOf(folder *docs.Folder, number int) (roots.Storage, error) {
	h, err := f.MemoryStorages.StorageOf(folder, number)
	return failingStorage{h, f.fail}, err
}

type failingStorage struct {
	roots.Storage
	fail func() error
}

func (h failingStorage) Open(ctx context.Context, model string) (roots.OpenedCatalog, error) {
	o, err := h.Storage.Open(ctx, model)
	o.Catalog = failingRows{o.Catalog, h.fail}
	return o, err
}

type failingRows struct {
	catalog.Catalog
	fail func() error
}

func (r failingRows) EachPage(context.Context, func([]catalog.Record) error) error { return r.fail() }

// TestUnloadableIsReplaced: another catalogue takes the place of one that cannot be loaded
// as it is damaged, or has this program panic, and of no other.
func TestUnloadableIsReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		fail func() error
		want error
	}{
		"damaged":         {func() error { return fmt.Errorf("a row: %w", catalog.ErrDamaged) }, nil},
		"it panics":       {func() error { panic("odd") }, nil},
		"held by another": {func() error { return catalog.ErrLocked }, catalog.ErrLocked},
	} {
		t.Run(name, func(t *testing.T) {
			n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
			k := syncertest.NewInStorages(t, failing{fail: c.fail}, syncertest.Options{Folders: []string{n.Dir}, Embedder: indextest.NewCountingModel(t)})
			if err := k.Load(t.Context()); !errors.Is(err, c.want) {
				t.Fatalf("it ends with %v", err)
			}
			if c.want != nil {
				return
			}
			syncertest.MustSync(t, k, sync.Scope{})
			if found := syncertest.BestPath(t, k, "alpha"); found != "a.md" {
				t.Errorf("found %q", found)
			}
		})
	}
}

// TestLibraryThatIsGone is opened again when it is there again, and not all the time.
func TestLibraryThatIsGone(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	synctest.Test(t, func(t *testing.T) {
		s := newShared(t, n)
		indextest.Must(t, s.Load(t.Context()))
		gone := errors.New("gone")
		takeUp := func() error {
			time.Sleep(time.Second)
			return s.ReopenLibrary(t.Context(), 0, gone)
		}
		s.set(func(f *faults) { f.open = []error{catalog.ErrLibraryNotFound, catalog.ErrDatabaseUnreachable} })
		old := s.Store.Follower(0)
		if err := takeUp(); err != gone {
			t.Errorf("while there is none it ends with %v", err)
		}
		if err := s.ReopenLibrary(t.Context(), 0, gone); err != gone || len(s.now().open) != 1 {
			t.Errorf("it is looked for at once again: %v", err)
		}
		if err := takeUp(); !errors.Is(err, gone) || !errors.Is(err, catalog.ErrDatabaseUnreachable) {
			t.Errorf("while the database is away it ends with %v", err)
		}
		if err := takeUp(); err != nil || s.Store.Follower(0) == old {
			t.Errorf("when it is there it ends with %v", err)
		}
	})
}

// TestUnsavedIsTold: of an index that no disk takes it is reported at the start that it is lost
// at the end.
func TestUnsavedIsTold(t *testing.T) {
	n, said := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), new(journal)
	below := []string{n.Path("a.md/x.db")} // where there can be none
	k := syncertest.NewLoaded(t, syncertest.Options{
		Folders: []string{n.Dir}, Files: below, Embedder: indextest.NewCountingModel(t), Log: slog.New(slog.NewTextHandler(said, nil)),
	})
	if err := k.UnsavedReason(); err == nil || said.count("the index is kept in memory and will be lost at exit") != 1 {
		t.Errorf("it is unsaved as %v", err)
	}
}
