package e2e

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// serverVariable is the environment variable with the address of a PostgreSQL server, for a role
// that may create databases and roles.
const serverVariable = "VADEMECUM_TEST_POSTGRES"

// database is a database of the test's own, with the program's tables and a role for servers.
type database struct {
	name           string
	owner, serving string // addresses, with passwords
	password       string // password of the role for servers
}

// inDatabase runs statements.
func inDatabase(t testing.TB, address string, statements ...string) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
}

// emptyDatabase creates a database without tables, until the end of the test. Without a database
// server the test is skipped.
func emptyDatabase(t testing.TB) (d database) {
	t.Helper()
	server := os.Getenv(serverVariable)
	if server == "" {
		t.Skip("not tested with PostgreSQL: " + serverVariable + " names no server")
	}
	d.name, d.password = strings.ToLower("vademecum_test_"+rand.Text()[:10]), "canary"+rand.Text()
	inDatabase(t, server, "CREATE ROLE "+d.name+" LOGIN PASSWORD '"+d.password+"'", "CREATE DATABASE "+d.name)
	t.Cleanup(func() {
		inDatabase(t, server, "DROP DATABASE "+d.name+" WITH (FORCE)", "DROP ROLE "+d.name)
	})
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = d.name
	d.owner = u.String()
	u.User = url.UserPassword(d.name, d.password)
	d.serving = u.String()
	return d
}

// newDatabase creates a database with the tables of this program.
func newDatabase(t testing.TB) database {
	t.Helper()
	d := emptyDatabase(t)
	c := vademecum(t, "store", "migrate", "--grant", d.name)
	c.Env = append(c.Env, "VADEMECUM_STORE="+d.owner)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s %v", out, err)
	}
	return d
}

// ownerName returns the name of the role that creates the tables.
func (d database) ownerName(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(d.owner)
	if err != nil {
		t.Fatal(err)
	}
	return u.User.Username()
}

// poolerVariable is the environment variable with the address of PgBouncer in front of that server,
// which knows only the role that may create databases.
const poolerVariable = "VADEMECUM_TEST_PGBOUNCER"

// behindPooler returns the address of the database through the pooler; without one the test is
// skipped.
func (d database) behindPooler(t *testing.T) string {
	t.Helper()
	if os.Getenv(poolerVariable) == "" {
		t.Skip("not tested behind PgBouncer: " + poolerVariable + " names none")
	}
	u, err := url.Parse(os.Getenv(poolerVariable))
	if err != nil {
		t.Fatal(err)
	}
	u.Path = d.name
	return u.String()
}

// env returns the environment variable with its address.
func (d database) env() string { return "VADEMECUM_STORE=" + d.serving }
