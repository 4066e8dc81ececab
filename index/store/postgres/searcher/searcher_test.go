package searcher

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
	"vademecum/embed"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/search/searchtest"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
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
	return connect(t, newDatabase(t))
}

// newDatabase returns the address of a database that is made for a test.
func newDatabase(t testing.TB) *url.URL {
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
	at, err := db.ParseAddress(u.String())
	must(t, err)
	_, err = schema.Migrate(t.Context(), at, "")
	must(t, err)
	return u
}

// connect opens the database at an address.
func connect(t testing.TB, u *url.URL) *postgres.Store {
	t.Helper()
	at, err := db.ParseAddress(u.String())
	must(t, err)
	s, err := postgres.Open(t.Context(), at, 10*time.Second)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// loaded opens libraries with these names in a database.
func loaded(t testing.TB, db *postgres.Store, e embed.Embedder, names ...string) *live.Store {
	t.Helper()
	st, s := New(len(names), e, 2)
	for i, name := range names {
		c, err := db.OpenCatalog(t.Context(), name, "m")
		must(t, err)
		s.RegisterCatalog(i, c)
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
		st := loaded(t, db, indextest.NewCountingModel(t), names...)
		for i, documents := range l.Folders {
			must(t, st.Follower(i).SaveVectors(t.Context(), "", l.Vectors))
			for _, d := range documents {
				must(t, st.Put(t.Context(), i, catalog.RecordWithBody{Record: d.Record, Body: d.Body}))
			}
		}
		if again {
			st = loaded(t, db, indextest.NewCountingModel(t), names...)
		}
		return st
	}
	t.Run("put", func(t *testing.T) {
		searchtest.Test(t, func(t *testing.T, l searchtest.Library) search.Searcher { return open(t, l, false) })
	})
	t.Run("loaded", func(t *testing.T) {
		searchtest.Test(t, func(t *testing.T, l searchtest.Library) search.Searcher { return open(t, l, true) })
	})
}

// write saves a document of one chunk.
func write(t *testing.T, st *live.Store, body string) {
	t.Helper()
	must(t, st.Put(t.Context(), 0, catalog.RecordWithBody{Body: text.Body{Text: body}, Record: catalog.Record{Path: "heart.md", Chunks: []catalog.Chunk{{
		Span: text.Span{EndByte: len(body), StartLine: 1, EndLine: 1}, Key: catalog.EmbeddingKey{1}, ContentHash: rank.ChunkTextHashOf(body), Terms: analysis.CountTerms(analysis.ChunkNames{}, body),
	}}}}))
}

// find is Search for five chunks in a view of its own.
func find(ctx context.Context, s search.Searcher, words string) (found search.Result, err error) {
	err = s.View(ctx, func(ctx context.Context, v search.View) (err error) {
		found, err = v.Search(ctx, []search.Phrasing{{Text: words}}, search.Filter{}, 5)
		return err
	})
	return found, err
}

// TestReplacedSinceTheLastLook: a document that another server has written again has
// other chunks than this one knows of, and is found all the same.
func TestReplacedSinceTheLastLook(t *testing.T) {
	db := database(t)
	name := rand.Text()
	writer, reader := loaded(t, db, indextest.Builtin(t), name), loaded(t, db, indextest.Builtin(t), name)
	for _, said := range []string{"once", "twice", "again"} {
		write(t, writer, "warfarin "+said)
		found, err := find(t.Context(), reader, "warfarin")
		if err != nil || len(found.Candidates) != 1 {
			t.Fatalf("written %s: found %v, %v", said, found.Candidates, err)
		}
	}
}

// TestAskedWhileMuchIsFollowed: a question does not wait until a server is through with
// what it takes up for minutes, and is answered from what is known.
func TestAskedWhileMuchIsFollowed(t *testing.T) {
	db := database(t)
	name := rand.Text()
	writer, reader := loaded(t, db, indextest.Builtin(t), name), loaded(t, db, indextest.Builtin(t), name)
	write(t, writer, "warfarin")
	_, err := reader.Follow(t.Context(), 0)
	must(t, err)
	for _, d := range writer.All() {
		must(t, writer.Touch(t.Context(), 0, []catalog.Record{{ID: d.ID, Path: d.Path}}))
	}
	defer reader.Follower(0).LockFollowing()()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	found, err := find(ctx, reader, "warfarin")
	if err != nil || len(found.Candidates) != 1 {
		t.Errorf("found %v, %v", found.Candidates, err)
	}
}
