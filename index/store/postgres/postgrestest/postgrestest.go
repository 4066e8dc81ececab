// Package postgrestest provides tests with libraries in a PostgreSQL database, and with entries to
// put into them.
package postgrestest

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"vademecum/docs/text"
	"vademecum/index/lexical/analysis"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/pgtest"
	"vademecum/index/store/postgres/schema"
)

// Server is the database for tests, with its tables.
var Server = pgtest.New(func(ctx context.Context, address, role string) error {
	at, err := db.ParseAddress(address)
	if err != nil {
		return err
	}
	return Migrate(ctx, at, role)
})

// Patience is the patience for tests in which nothing delays the database.
const Patience = 10 * time.Second

// Migrate creates the tables.
func Migrate(ctx context.Context, address db.Address, serverRole string) error {
	_, err := schema.Migrate(ctx, address, serverRole)
	return err
}

// Must fails the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// ParseAddress returns the parsed address.
func ParseAddress(t testing.TB, address string) db.Address {
	t.Helper()
	at, err := db.ParseAddress(address)
	Must(t, err)
	return at
}

// OpenStore opens a database like a serving process, until the end of the test.
func OpenStore(t testing.TB, address db.Address, retryTimeout time.Duration) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), address, retryTimeout)
	Must(t, err)
	t.Cleanup(func() { Must(t, s.Close()) })
	return s
}

// OpenServing opens the database for tests as the serving role.
func OpenServing(t testing.TB) *postgres.Store {
	t.Helper()
	return OpenStore(t, ParseAddress(t, Server.ServingAddress(t)), Patience)
}

// OpenLibrary opens a library of the database, or creates it.
func OpenLibrary(t testing.TB, s *postgres.Store, name string) *postgres.Catalog {
	t.Helper()
	c, err := s.OpenCatalog(t.Context(), name, "m")
	Must(t, err)
	return c
}

// AnyName returns the name of a library that no other test uses.
func AnyName() string { return "library " + rand.Text() }

// EmptyDatabase returns the address of a database without tables, which exists until the end of the
// test.
func EmptyDatabase(t testing.TB) db.Address {
	t.Helper()
	Server.SkipWithoutServer(t) // creates the serving role
	return ParseAddress(t, pgtest.EmptyDatabase(t))
}

// NewOwnDatabase returns a separate database with a library in it, for the role that owns it.
func NewOwnDatabase(t testing.TB) (db.Address, *postgres.Store, *postgres.Catalog) {
	t.Helper()
	at := EmptyDatabase(t)
	Must(t, Migrate(t.Context(), at, Server.Role()))
	s := OpenStore(t, at, Patience)
	c := OpenLibrary(t, s, "l")
	_, err := c.Put(t.Context(), indexedEntry("a.md", "alpha"), indexedEntry("bb.md", "beta"), SkippedEntry("c.bin"))
	Must(t, err)
	Must(t, c.SaveVectors(t.Context(), "", map[catalog.EmbeddingKey][]float32{{1}: {1, 2}, {2}: {3, 4}}))
	return at, s, c
}

// SkippedEntry returns an entry without a text.
func SkippedEntry(path string) catalog.RecordWithBody {
	return catalog.RecordWithBody{Record: catalog.Record{Path: path, SkipReason: "it is empty"}}
}

// indexedEntry returns an entry with a text.
func indexedEntry(path, words string) catalog.RecordWithBody {
	e := catalog.RecordWithBody{Record: catalog.Record{Path: path, TextHash: [32]byte{byte(len(path))}}}
	e.Body.Text = words
	return e
}

// EntryWithPassage returns an entry with a single passage, which is the whole text.
func EntryWithPassage(path, words string) catalog.RecordWithBody {
	e := indexedEntry(path, words)
	e.Chunks = []catalog.Chunk{{Span: text.Span{EndByte: len(words), StartLine: 1, EndLine: 1}, Terms: analysis.CountTerms(analysis.ChunkNames{}, words)}}
	return e
}

// NewSixDocuments returns a library of six documents in two segments; one of them replaced another.
func NewSixDocuments(t testing.TB, s *postgres.Store, name string) *postgres.Catalog {
	t.Helper()
	c := OpenLibrary(t, s, name)
	for _, some := range [][]catalog.RecordWithBody{
		{EntryWithPassage("1.md", "warfarin thins blood"), EntryWithPassage("22.md", "old words"), EntryWithPassage("333.md", "insulin lowers sugar")},
		{EntryWithPassage("22.md", "metformin as well"), EntryWithPassage("4444.md", "sleep is a remedy"), EntryWithPassage("55555.md", "salt and 血压"), EntryWithPassage("666666.md", "a visit")},
	} {
		_, err := c.Put(t.Context(), some...)
		Must(t, err)
	}
	return c
}
