// Package pgtest gives tests a PostgreSQL database: one for all tests of a package, with a
// role that serves, and empty ones. They are made in a server whose address, of a role
// that may do so, is in the environment; that of a pooler before it may be there too.
package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// The environment variables with those addresses.
const (
	ServerVariable = "VADEMECUM_TEST_POSTGRES"
	PoolerVariable = "VADEMECUM_TEST_PGBOUNCER"
)

// Server is the database of the tests of a package.
type Server struct {
	migrate func(ctx context.Context, address, role string) error

	making   sync.Once
	name     string // of the database and of the role
	password string
	err      error
}

// New is a database that is made when a test first asks for it, and in which migrate makes
// the tables and lets a role serve.
func New(migrate func(ctx context.Context, address, role string) error) *Server {
	return &Server{migrate: migrate}
}

// Main runs the tests and removes the database.
func (s *Server) Main(m *testing.M) {
	code := m.Run()
	if s.name != "" {
		if err := inServer(context.Background(), "DROP DATABASE IF EXISTS "+s.name+" WITH (FORCE)", "DROP ROLE IF EXISTS "+s.name); err != nil {
			fmt.Fprintln(os.Stderr, "what the tests made in the server is still there:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// Need skips a test where there is no server, and makes the database where it is not there.
func (s *Server) Need(t testing.TB) {
	t.Helper()
	if os.Getenv(ServerVariable) == "" {
		t.Skip("not tested with PostgreSQL: " + ServerVariable + " names no server")
	}
	s.making.Do(func() { s.err = s.make() })
	if s.err != nil {
		t.Fatal(s.err)
	}
}

func (s *Server) make() error {
	ctx := context.Background()
	s.name, s.password = anyName(), "canary"+rand.Text()
	if err := inServer(ctx, "CREATE ROLE "+s.name+" LOGIN PASSWORD '"+s.password+"'", "CREATE DATABASE "+s.name); err != nil {
		return err
	}
	return s.migrate(ctx, in(ServerVariable, s.name).String(), s.name)
}

// Role is the name of the role that serves, and of the database; Password is the role's.
func (s *Server) Role() string     { return s.name }
func (s *Server) Password() string { return s.password }

// Owner is the address of the database for the role that made it.
func (s *Server) Owner(t testing.TB) string {
	t.Helper()
	s.Need(t)
	return in(ServerVariable, s.name).String()
}

// Serving is its address for the role that serves.
func (s *Server) Serving(t testing.TB) string {
	t.Helper()
	s.Need(t)
	u := in(ServerVariable, s.name)
	u.User = url.UserPassword(s.name, s.password)
	return u.String()
}

// Pooled is its address by way of the pooler. Where there is none the test is skipped.
func (s *Server) Pooled(t testing.TB) string {
	t.Helper()
	s.Need(t)
	if os.Getenv(PoolerVariable) == "" {
		t.Skip("not tested behind PgBouncer: " + PoolerVariable + " names none")
	}
	return in(PoolerVariable, s.name).String()
}

// Exec runs statements in the database as the role that made it.
func (s *Server) Exec(t testing.TB, statements ...string) {
	t.Helper()
	if err := run(t.Context(), s.Owner(t), statements...); err != nil {
		t.Fatal(err)
	}
}

// Empty is the address of a database without tables, which is there until the end of the
// test. Where there is no server the test is skipped.
func Empty(t testing.TB) string {
	t.Helper()
	if os.Getenv(ServerVariable) == "" {
		t.Skip("not tested with PostgreSQL: " + ServerVariable + " names no server")
	}
	name := anyName()
	InServer(t, "CREATE DATABASE "+name)
	t.Cleanup(func() {
		if err := inServer(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return in(ServerVariable, name).String()
}

// InServer runs statements in the server's own database.
func InServer(t testing.TB, statements ...string) {
	t.Helper()
	if err := inServer(t.Context(), statements...); err != nil {
		t.Fatal(err)
	}
}

func inServer(ctx context.Context, statements ...string) error {
	return run(ctx, os.Getenv(ServerVariable), statements...)
}

func run(ctx context.Context, address string, statements ...string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// in is the address of a database in a server.
func in(variable, name string) *url.URL {
	u, err := url.Parse(os.Getenv(variable))
	if err != nil {
		panic(variable + " is no URL")
	}
	u.Path = name
	return u
}

func anyName() string { return strings.ToLower("vademecum_test_" + rand.Text()[:10]) }
