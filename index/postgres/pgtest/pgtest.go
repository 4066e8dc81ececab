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

// RunTests runs the tests and removes the database.
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

// Require skips a test where there is no server, and makes the database where it is not there.
func (s *Server) Require(t testing.TB) {
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

// Role is the name of the role that serves, and of the database; Password is the role's.
func (s *Server) Role() string     { return s.name }
func (s *Server) Password() string { return s.password }

// OwnerAddress is the address of the database for the role that made it.
func (s *Server) OwnerAddress(t testing.TB) string {
	t.Helper()
	s.Require(t)
	return databaseAddress(ServerVariable, s.name).String()
}

// ServingAddress is its address for the role that serves.
func (s *Server) ServingAddress(t testing.TB) string {
	t.Helper()
	s.Require(t)
	u := databaseAddress(ServerVariable, s.name)
	u.User = url.UserPassword(s.name, s.password)
	return u.String()
}

// PooledAddress is its address by way of the pooler. Where there is none the test is skipped.
func (s *Server) PooledAddress(t testing.TB) string {
	t.Helper()
	s.Require(t)
	if os.Getenv(PoolerVariable) == "" {
		t.Skip("not tested behind PgBouncer: " + PoolerVariable + " names none")
	}
	return databaseAddress(PoolerVariable, s.name).String()
}

// Exec runs statements in the database as the role that made it.
func (s *Server) Exec(t testing.TB, statements ...string) {
	t.Helper()
	if err := execStatements(t.Context(), s.OwnerAddress(t), statements...); err != nil {
		t.Fatal(err)
	}
}

// EmptyDatabase is the address of a database without tables, which is there until the end of the
// test. Where there is no server the test is skipped.
func EmptyDatabase(t testing.TB) string {
	t.Helper()
	if os.Getenv(ServerVariable) == "" {
		t.Skip("not tested with PostgreSQL: " + ServerVariable + " names no server")
	}
	name := randomName()
	InServer(t, "CREATE DATABASE "+name)
	t.Cleanup(func() {
		if err := inServer(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return databaseAddress(ServerVariable, name).String()
}

// InServer runs statements in the server's own database.
func InServer(t testing.TB, statements ...string) {
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

// databaseAddress is the address of a database in a server.
func databaseAddress(variable, name string) *url.URL {
	u, err := url.Parse(os.Getenv(variable))
	if err != nil {
		panic(variable + " is no URL")
	}
	u.Path = name
	return u
}

func randomName() string { return strings.ToLower("vademecum_test_" + rand.Text()[:10]) }
