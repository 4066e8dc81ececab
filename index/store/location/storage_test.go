package location

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
)

// serverVariable has the address of a server in which the tests may make a database.
const serverVariable = "VADEMECUM_TEST_POSTGRES"

const model = "test/model"

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newDatabase makes one with tables until the end of the test, and skips the test
// where there is no server.
func newDatabase(t *testing.T) (address string) {
	t.Helper()
	server := os.Getenv(serverVariable)
	if server == "" {
		t.Skip("not tested with PostgreSQL: " + serverVariable + " names no server")
	}
	name := strings.ToLower("vademecum_test_" + rand.Text()[:10])
	ctx := context.WithoutCancel(t.Context())
	run := func(statement string) {
		conn, err := pgx.Connect(ctx, server)
		must(t, err)
		defer conn.Close(ctx)
		_, err = conn.Exec(ctx, statement)
		must(t, err)
	}
	run("CREATE DATABASE " + name)
	t.Cleanup(func() { run("DROP DATABASE " + name + " WITH (FORCE)") })
	u, err := url.Parse(server)
	must(t, err)
	u.Path = name
	at, err := db.ParseAddress(u.String())
	must(t, err)
	_, err = schema.Migrate(ctx, at, "")
	must(t, err)
	return u.String()
}

// asProcess is the storage of a folder as one of several processes has it.
type asProcess func(f *docs.Folder) roots.Storage

// kept says how storages of each kind are had.
var kept = map[string]func(t *testing.T) asProcess{
	"file": func(t *testing.T) asProcess {
		file := filepath.Join(t.TempDir(), "x.db")
		return func(f *docs.Folder) roots.Storage {
			h, err := FileStorages{IndexPaths: []string{file}, Model: model}.StorageOf(f, 0)
			must(t, err)
			return h
		}
	},
	"library": func(t *testing.T) asProcess {
		address := newDatabase(t)
		return func(f *docs.Folder) roots.Storage { return libraryOf(t, address, f) }
	},
}

func libraryOf(t *testing.T, address string, f *docs.Folder) roots.Storage {
	t.Helper()
	all, err := NewLibraryStorages(address, []string{"notes"}, model, 0)
	must(t, err)
	t.Cleanup(func() { must(t, all.Close()) })
	h, err := all.StorageOf(f, 0)
	must(t, err)
	t.Cleanup(func() { must(t, errors.Join(h.IndexingLease().Release(), h.EmbeddingLease().Release())) })
	return h
}

func folder(t *testing.T) *docs.Folder {
	t.Helper()
	f, err := docs.Open(t.TempDir())
	must(t, err)
	t.Cleanup(func() { must(t, f.Close()) })
	return f
}

// soon is how long a test waits for what must come.
const soon = indextest.ShortTimeout

func awaitHeld(t *testing.T, d roots.Lease) {
	t.Helper()
	indextest.Eventually(t, soon, "it is to be had", d.TryAcquire)
}

// TestStorage: what one process keeps another sees, one of them has a duty at a time, and
// who only looks makes nothing.
func TestStorage(t *testing.T) {
	for kind, had := range kept {
		t.Run(kind, func(t *testing.T) {
			f, as := folder(t), had(t)
			mine, theirs := as(f), as(f)
			if seen, err := mine.OpenReadOnly(t.Context()); err != nil || seen.Catalog != nil || seen.Bytes != 0 {
				t.Errorf("before there is anything: %+v, %v", seen, err)
			}
			c, err := mine.Open(t.Context(), model)
			must(t, err)
			defer func() { must(t, c.Close()) }()
			awaitHeld(t, mine.IndexingLease())
			_, err = c.Put(t.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: "a.bin", SkipReason: "no text"}})
			must(t, err)

			other, err := theirs.Open(t.Context(), "another model")
			must(t, err)
			defer func() { must(t, other.Close()) }()
			if all, err := catalogtest.Records(t.Context(), other); err != nil || len(all) != 1 || other.PreviousModel != model {
				t.Errorf("another has %v after %q, %v", all, other.PreviousModel, err)
			}
			if theirs.IndexingLease().TryAcquire() || !theirs.IndexingLease().IsHeldByAny(t.Context()) {
				t.Error("two have the duty, or one does not see that it is taken")
			}
			if _, held := theirs.IndexingLease().HeldSince(); held {
				t.Error("two have the duty since")
			}
			awaitHeld(t, theirs.EmbeddingLease()) // that is another duty
			must(t, mine.IndexingLease().Release())
			awaitHeld(t, theirs.IndexingLease())
			must(t, errors.Join(theirs.IndexingLease().Release(), theirs.EmbeddingLease().Release()))
			theirs.IndexingLease().Pause()
			if theirs.Describe().IsShared == theirs.IndexingLease().TryAcquire() {
				t.Error("it has a duty that it declines, or none that it cannot decline")
			}
			theirs.IndexingLease().Resume()
			awaitHeld(t, theirs.IndexingLease())
			theirs.IndexingLease().Pause()
			must(t, theirs.IndexingLease().Release())
			awaitHeld(t, mine.IndexingLease())
			must(t, mine.IndexingLease().Release())

			seen, err := as(f).OpenReadOnly(t.Context())
			if err != nil || seen.Catalog == nil || seen.Bytes == 0 {
				t.Fatalf("afterwards: %+v, %v", seen, err)
			}
			must(t, seen.Close())
		})
	}
}

// TestStorageOfOthers: whoever does not see the files waits for a library that somebody makes,
// and never has the duty to index it.
func TestStorageOfOthers(t *testing.T) {
	address := newDatabase(t)
	away := libraryOf(t, address, docs.NewRemote("notes"))
	if _, err := away.Open(t.Context(), model); !errors.Is(err, catalog.ErrLibraryNotFound) {
		t.Errorf("before there is one: %v", err)
	}
	c, err := libraryOf(t, address, folder(t)).Open(t.Context(), model)
	must(t, err)
	must(t, c.Close())
	if _, err := away.Open(t.Context(), model); err != nil {
		t.Fatal(err)
	}
	if away.IndexingLease().TryAcquire() {
		t.Error("it has the duty to index what it does not see")
	}
	awaitHeld(t, away.EmbeddingLease())
}

// TestStoragesAreEnough: each folder has a storage of its own.
func TestStoragesAreEnough(t *testing.T) {
	libraries, err := NewLibraryStorages("postgres://u@127.0.0.1/d", []string{"notes"}, model, 0)
	must(t, err)
	for _, all := range []roots.Storages{FileStorages{IndexPaths: []string{"x.db"}, Model: model}, libraries} {
		if _, err := all.StorageOf(folder(t), 1); err == nil {
			t.Errorf("%T has a storage for a second folder", all)
		}
	}
	if h, err := libraries.StorageOf(folder(t), 0); err != nil || h.Describe().Name != "library notes in postgres://127.0.0.1:5432/d" || h.Describe().ShortName.String() != "library notes" || !h.Describe().IsShared {
		t.Errorf("it is called %s and %s, %v", h.Describe().Name, h.Describe().ShortName, err)
	}
}
