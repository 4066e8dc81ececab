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

// serverVariable has the address of a PostgreSQL server, of a role that may make
// databases and roles.
const serverVariable = "VADEMECUM_TEST_POSTGRES"

// database is one of the test's own, with the tables made and a role that may serve.
type database struct {
	name           string
	owner, serving string // addresses, with passwords
	password       string // of the role that serves
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

// emptyDatabase makes one without tables, until the end of the test, and skips the
// test where there is no server.
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

// newDatabase makes one with the tables of this program.
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

// ownerName is the role that makes the tables.
func (d database) ownerName(t testing.TB) string {
	t.Helper()
	u, err := url.Parse(d.owner)
	if err != nil {
		t.Fatal(err)
	}
	return u.User.Username()
}

// poolerVariable has the address of PgBouncer before that server, which knows the role
// that may make databases alone.
const poolerVariable = "VADEMECUM_TEST_PGBOUNCER"

// behindPooler is the address by way of the pooler. It skips the test where there is none.
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
