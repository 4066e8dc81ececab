package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
	"time"

	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/pgtest"
	"vademecum/index/store/postgres/schema"
)

// server is the database of the tests.
var server = pgtest.New(func(ctx context.Context, address, role string) error {
	at, err := db.ParseAddress(address)
	if err != nil {
		return err
	}
	return migrate(ctx, at, role)
})

func TestMain(m *testing.M) { server.RunTests(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func parsed(t testing.TB, address string) db.Address {
	t.Helper()
	at, err := db.ParseAddress(address)
	must(t, err)
	return at
}

// patience is the patience of tests in which nothing holds up the database.
const patience = 10 * time.Second

// opened opens the database as a process that serves, until the end of the test.
func opened(t testing.TB, at db.Address, patience time.Duration) *Store {
	t.Helper()
	s, err := Open(t.Context(), at, patience)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func serving(t testing.TB) *Store {
	t.Helper()
	return opened(t, parsed(t, server.ServingAddress(t)), patience)
}

func named(t testing.TB, s *Store, name string) *Catalog {
	t.Helper()
	c, err := s.OpenCatalog(t.Context(), name, "m")
	must(t, err)
	return c
}

// anyName is one that no other test uses.
func anyName() string { return "library " + rand.Text() }

// as runs statements as the role that made the database.
func as(t testing.TB, statements ...string) {
	t.Helper()
	server.Exec(t, statements...)
}

// TestPagesGoOn: who lists all documents is given each once and in order, though there
// are more than one statement lists and the connection breaks in the middle.
func TestPagesGoOn(t *testing.T) {
	c := named(t, serving(t), anyName())
	const many, broken = rowsAtOnce + 7, catalog.PageRows + 1
	all := make([]catalog.RecordWithBody, many)
	for i := range all {
		all[i] = skipped(fmt.Sprintf("%d.md", i))
	}
	w, err := c.Put(t.Context(), all...)
	must(t, err)
	var got []int64
	breaks := 0
	err = c.EachPage(t.Context(), func(page []catalog.Record) error {
		if len(got)+len(page) >= broken && breaks == 0 {
			breaks++
			return io.ErrUnexpectedEOF
		}
		for _, r := range page {
			got = append(got, r.ID)
		}
		return nil
	})
	if err != nil || breaks != 1 || !slices.Equal(got, w.IDs) {
		t.Errorf("%d of %d documents after %d breaks, %v", len(got), many, breaks, err)
	}
	if err := c.EachPage(t.Context(), func([]catalog.Record) error { return catalog.ErrDamaged }); !errors.Is(err, catalog.ErrDamaged) {
		t.Errorf("what goes wrong with a page is not told: %v", err)
	}
}

func skipped(path string) catalog.RecordWithBody {
	return catalog.RecordWithBody{Record: catalog.Record{Path: path, SkipReason: "it is empty"}}
}

// process is a catalogue with the store that it is in.
type process struct{ *Catalog }

func (p process) Close() error { return errors.Join(p.Catalog.Close(), p.DB.Close()) }

// TestContract runs what every catalogue has to fulfil, as a role that can do nothing
// but serve.
func TestContract(t *testing.T) {
	contract(t, parsed(t, server.ServingAddress(t)))
}

// TestContractBehindPooler does so where each transaction is in another session.
func TestContractBehindPooler(t *testing.T) {
	contract(t, parsed(t, server.PooledAddress(t)))
}

func contract(t *testing.T, at db.Address) {
	named := func() func(model string) process {
		name := anyName()
		return func(model string) process {
			s, err := Open(t.Context(), at, patience)
			must(t, err)
			c, err := s.OpenCatalog(t.Context(), name, model)
			must(t, err)
			return process{c}
		}
	}
	catalogtest.Test(t, func(*testing.T) func(string) catalog.Catalog {
		open := named()
		return func(model string) catalog.Catalog { return open(model) }
	})
	catalogtest.TestEmbedding(t, func(*testing.T) func(string) catalogtest.EmbeddingCatalog {
		open := named()
		return func(model string) catalogtest.EmbeddingCatalog { return open(model) }
	})
}

// emptyDatabase makes a database without tables, until the end of the test.
func emptyDatabase(t *testing.T) db.Address {
	t.Helper()
	server.SkipWithoutServer(t) // and so there is a role that may serve from it
	return parsed(t, pgtest.EmptyDatabase(t))
}

func migrate(ctx context.Context, at db.Address, serving string) error {
	_, err := schema.Migrate(ctx, at, serving)
	return err
}
