// Package pgtest provides tests with a PostgreSQL database: one for all tests of a package, with a
// serving role, and empty ones. It creates them on a server whose address, for a role that may
// create databases, is in the environment; the address of a pooler in front of it may be there too.
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

// Environment variables with these addresses.
const (
	ServerVariable = "VADEMECUM_TEST_POSTGRES"
	poolerVariable = "VADEMECUM_TEST_PGBOUNCER"
)

// Server is the database for the tests of a package.
type Server struct {
	migrate func(ctx context.Context, address, role string) error

	making   sync.Once
	name     string // name of the database and of the role
	password string
	err      error
}

// New returns a database that is created when a test first needs it. migrate must create the tables
// and grant the role what serving needs.
func New(migrate func(ctx context.Context, address, role string) error) *Server {
	return &Server{migrate: migrate}
}

// RunTests runs the tests, and drops the database afterwards.
func (s *Server) RunTests(m *testing.M) {
	code := m.Run()
	if s.name != "" {
		if err := inServer(context.Background(), "DROP DATABASE IF EXISTS "+s.name+" WITH (FORCE)", "DROP ROLE IF EXISTS "+s.name); err != nil {
			fmt.Fprintln(os.Stderr, "what the tests made in the server is still there:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// SkipWithoutServer skips a test if there is no server. It creates the database if it does not exist yet.
func (s *Server) SkipWithoutServer(t testing.TB) {
	t.Helper()
	if os.Getenv(ServerVariable) == "" {
		t.Skip("not tested with PostgreSQL: " + ServerVariable + " names no server")
	}
	s.making.Do(func() { s.err = s.createDatabase() })
	if s.err != nil {
		t.Fatal(s.err)
	}
}

func (s *Server) createDatabase() error {
	ctx := context.Background()
	s.name, s.password = randomName(), "canary"+rand.Text()
	if err := inServer(ctx, "CREATE ROLE "+s.name+" LOGIN PASSWORD '"+s.password+"'", "CREATE DATABASE "+s.name); err != nil {
		return err
	}
	return s.migrate(ctx, databaseAddress(ServerVariable, s.name).String(), s.name)
}

// Role returns the name of the serving role, which is also that of the database; Password returns
// the role's password.
func (s *Server) Role() string     { return s.name }
func (s *Server) Password() string { return s.password }

// ownerAddress returns the address of the database for the role that created it.
func (s *Server) ownerAddress(t testing.TB) string {
	t.Helper()
	s.SkipWithoutServer(t)
	return databaseAddress(ServerVariable, s.name).String()
}

// ServingAddress returns the address of the database for the serving role.
func (s *Server) ServingAddress(t testing.TB) string {
	t.Helper()
	s.SkipWithoutServer(t)
	u := databaseAddress(ServerVariable, s.name)
	u.User = url.UserPassword(s.name, s.password)
	return u.String()
}

// PooledAddress returns the address of the database through the pooler. If there is no pooler, the
// test is skipped.
func (s *Server) PooledAddress(t testing.TB) string {
	t.Helper()
	s.SkipWithoutServer(t)
	if os.Getenv(poolerVariable) == "" {
		t.Skip("not tested behind PgBouncer: " + poolerVariable + " names none")
	}
	return databaseAddress(poolerVariable, s.name).String()
}

// Exec runs statements in the database as the role that created it.
func (s *Server) Exec(t testing.TB, statements ...string) {
	t.Helper()
	if err := execStatements(t.Context(), s.ownerAddress(t), statements...); err != nil {
		t.Fatal(err)
	}
}

// EmptyDatabase returns the address of a database without tables, which exists until the end of the
// test. If there is no server, the test is skipped.
func EmptyDatabase(t testing.TB) string {
	t.Helper()
	if os.Getenv(ServerVariable) == "" {
		t.Skip("not tested with PostgreSQL: " + ServerVariable + " names no server")
	}
	name := randomName()
	ExecOnServer(t, "CREATE DATABASE "+name)
	t.Cleanup(func() {
		if err := inServer(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return databaseAddress(ServerVariable, name).String()
}

// ExecOnServer runs statements in the default database of the server.
func ExecOnServer(t testing.TB, statements ...string) {
	t.Helper()
	if err := inServer(t.Context(), statements...); err != nil {
		t.Fatal(err)
	}
}

func inServer(ctx context.Context, statements ...string) error {
	return execStatements(ctx, os.Getenv(ServerVariable), statements...)
}

func execStatements(ctx context.Context, address string, statements ...string) error {
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

// databaseAddress returns the address of a database on the server.
func databaseAddress(variable, name string) *url.URL {
	u, err := url.Parse(os.Getenv(variable))
	if err != nil {
		panic(variable + " is no URL")
	}
	u.Path = name
	return u
}

func randomName() string { return strings.ToLower("vademecum_test_" + rand.Text()[:10]) }
