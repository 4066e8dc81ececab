package postgres

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/docs/text"
	"vademecum/index/catalog"
	"vademecum/index/catalog/postgres"
	"vademecum/index/lexical"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/search/searchtest"
)

// serverVariable is the environment variable with the address of a server in which the
// tests may make databases.
const serverVariable = "VADEMECUM_TEST_POSTGRES"

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// database makes a database for a test, and skips it where there is no server.
func database(t testing.TB) *postgres.Store {
	t.Helper()
	server := os.Getenv(serverVariable)
	if server == "" {
		t.Skip("not tested with PostgreSQL: " + serverVariable + " names no server")
	}
	name := strings.ToLower("vademecum_test_" + rand.Text()[:10])
	conn, err := pgx.Connect(t.Context(), server)
	must(t, err)
	ctx := context.WithoutCancel(t.Context())
	t.Cleanup(func() {
		_, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		must(t, err)
		must(t, conn.Close(ctx))
	})
	_, err = conn.Exec(t.Context(), "CREATE DATABASE "+name)
	must(t, err)
	u, err := url.Parse(server)
	must(t, err)
	u.Path = name
	at, err := postgres.Parse(u.String())
	must(t, err)
	must(t, postgres.Migrate(t.Context(), at, ""))
	s, err := postgres.Open(t.Context(), at, 10*time.Second)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// loaded opens libraries with these names in a database.
func loaded(t testing.TB, db *postgres.Store, builtin bool, names ...string) *live.Store {
	t.Helper()
	st := live.NewHeads(len(names), builtin)
	for i, name := range names {
		c, err := db.Catalog(t.Context(), name, "m")
		must(t, err)
		c.WithoutChunks()
		_, err = st.Load(t.Context(), i, c)
		must(t, err)
	}
	t.Cleanup(func() { must(t, st.Close()) })
	return st
}

// TestContract runs what every searcher has to fulfil: of what this process put, and of
// what another has.
func TestContract(t *testing.T) {
	db := database(t)
	open := func(t *testing.T, l searchtest.Library, again bool) search.Searcher {
		var names []string
		for range l.Folders {
			names = append(names, rand.Text())
		}
		st := loaded(t, db, false, names...)
		for i, documents := range l.Folders {
			must(t, st.Follower(i).SaveVectors(t.Context(), l.Vectors))
			for _, d := range documents {
				must(t, st.Put(t.Context(), i, catalog.Entry{Record: d.Record, Body: d.Body}))
			}
		}
		if again {
			st = loaded(t, db, false, names...)
		}
		return New(st, 2)
	}
	t.Run("put", func(t *testing.T) {
		searchtest.Test(t, func(t *testing.T, l searchtest.Library) search.Searcher { return open(t, l, false) })
	})
	t.Run("loaded", func(t *testing.T) {
		searchtest.Test(t, func(t *testing.T, l searchtest.Library) search.Searcher { return open(t, l, true) })
	})
}

// TestReplacedSinceTheLastLook: a document that another server has written again has
// other chunks than this one knows of, and is found all the same.
func TestReplacedSinceTheLastLook(t *testing.T) {
	db := database(t)
	name := rand.Text()
	writer, reader := loaded(t, db, true, name), loaded(t, db, true, name)
	s := New(reader, 1)
	write := func(said string) {
		body := "warfarin " + said
		must(t, writer.Put(t.Context(), 0, catalog.Entry{Body: text.Body{Text: body}, Record: catalog.Record{Path: "heart.md", Chunks: []catalog.Chunk{{
			Span: text.Span{EndByte: len(body), StartLine: 1, EndLine: 1}, Key: catalog.Key{1}, Wording: rank.WordingOf(body), Terms: lexical.Count(body),
		}}}}))
	}
	for _, said := range []string{"once", "twice", "again"} {
		write(said)
		found, err := s.Search(t.Context(), []search.Phrasing{{Text: "warfarin"}}, search.Filter{}, 5)
		if err != nil || len(found.Candidates) != 1 {
			t.Fatalf("written %s: found %v, %v", said, found.Candidates, err)
		}
	}
}
