package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/catalog"
	"vademecum/index/catalog/catalogtest"
)

// The tests make a database and a role of their own in a server whose address, of a
// role that may do so, is in the environment. That of a pooler before it may be there
// too.
const (
	serverVariable = "VADEMECUM_TEST_POSTGRES"
	poolerVariable = "VADEMECUM_TEST_PGBOUNCER"
)

// made is what the tests have made in the server.
var made struct {
	sync.Once
	name     string // of the database and the role
	password string
	err      error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if made.name != "" {
		if err := unmake(); err != nil {
			fmt.Fprintln(os.Stderr, "what the tests made in the server is still there:", err)
			code = 1
		}
	}
	os.Exit(code)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inServer runs statements in the server's own database.
func inServer(ctx context.Context, statements ...string) error {
	conn, err := pgx.Connect(ctx, os.Getenv(serverVariable))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func makeDatabase() error {
	name := strings.ToLower("vademecum_test_" + rand.Text()[:10])
	made.password = "canary" + rand.Text()
	made.name = name
	err := inServer(context.Background(), "CREATE ROLE "+name+" LOGIN PASSWORD '"+made.password+"'", "CREATE DATABASE "+name)
	if err != nil {
		return err
	}
	return migrate(context.Background(), addressOf(serverVariable, false), name)
}

func unmake() error {
	return inServer(context.Background(), "DROP DATABASE IF EXISTS "+made.name+" WITH (FORCE)", "DROP ROLE IF EXISTS "+made.name)
}

// addressOf is the address of the database of the tests, for the role that serves or
// for the one that made it.
func addressOf(variable string, serving bool) Address {
	u, err := url.Parse(os.Getenv(variable))
	if err != nil {
		panic(variable + " is no URL")
	}
	u.Path = made.name
	if serving {
		u.User = url.UserPassword(made.name, made.password)
	}
	a, err := Parse(u.String())
	if err != nil {
		panic(err)
	}
	return a
}

// database makes the database of the tests where it is not there, and skips the test
// where there is no server.
func database(t testing.TB) {
	t.Helper()
	if os.Getenv(serverVariable) == "" {
		t.Skip("not tested with PostgreSQL: " + serverVariable + " names no server")
	}
	made.Do(func() { made.err = makeDatabase() })
	must(t, made.err)
}

// behindPooler is the address of the database by way of the pooler.
func behindPooler(t testing.TB) Address {
	t.Helper()
	database(t)
	if os.Getenv(poolerVariable) == "" {
		t.Skip("not tested behind PgBouncer: " + poolerVariable + " names none")
	}
	return addressOf(poolerVariable, false)
}

// patience is that of tests in which nothing holds up the database.
const patience = 10 * time.Second

// opened opens the database as a process that serves, until the end of the test.
func opened(t testing.TB, at Address, patience time.Duration) *Store {
	t.Helper()
	s, err := Open(t.Context(), at, patience)
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

func serving(t testing.TB) *Store {
	t.Helper()
	database(t)
	return opened(t, addressOf(serverVariable, true), patience)
}

func library(t testing.TB, s *Store, name string) *Catalog {
	t.Helper()
	c, err := s.Catalog(t.Context(), name, "m")
	must(t, err)
	return c
}

// anyName is one that no other test uses.
func anyName() string { return "library " + rand.Text() }

// as runs statements as the role that made the database.
func as(t testing.TB, statements ...string) {
	t.Helper()
	conn, err := pgx.ConnectConfig(t.Context(), addressOf(serverVariable, false).config.ConnConfig.Copy())
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, s := range statements {
		_, err := conn.Exec(t.Context(), s)
		must(t, err)
	}
}

// TestPagesGoOn: who lists all documents is given each once and in order, though there
// are more than one statement lists and the connection breaks in the middle.
func TestPagesGoOn(t *testing.T) {
	c := library(t, serving(t), anyName())
	const many, broken = rowsAtOnce + 7, catalog.PageRows + 1
	all := make([]catalog.Entry, many)
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

func skipped(path string) catalog.Entry {
	return catalog.Entry{Record: catalog.Record{Path: path, Skip: "it is empty"}}
}

// process is a catalogue with the store that it is in.
type process struct{ *Catalog }

func (p process) Close() error { return errors.Join(p.Catalog.Close(), p.store.Close()) }

// TestContract runs what every catalogue has to fulfil, as a role that can do nothing
// but serve.
func TestContract(t *testing.T) {
	database(t)
	contract(t, addressOf(serverVariable, true))
}

// TestContractBehindPooler does so where each transaction is in another session.
func TestContractBehindPooler(t *testing.T) {
	contract(t, behindPooler(t))
}

func contract(t *testing.T, at Address) {
	named := func() func(model string) process {
		name := anyName()
		return func(model string) process {
			s, err := Open(t.Context(), at, patience)
			must(t, err)
			c, err := s.Catalog(t.Context(), name, model)
			must(t, err)
			return process{c}
		}
	}
	catalogtest.Test(t, func(*testing.T) func(string) catalog.Catalog {
		open := named()
		return func(model string) catalog.Catalog { return open(model) }
	})
	catalogtest.TestEmbedding(t, func(*testing.T) func(string) catalogtest.Embedding {
		open := named()
		return func(model string) catalogtest.Embedding { return open(model) }
	})
}
