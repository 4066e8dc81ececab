package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"vademecum/index/catalog"
	"vademecum/index/catalog/catalogtest"
)

// emptyDatabase makes a database without tables, until the end of the test.
func emptyDatabase(t *testing.T) Address {
	t.Helper()
	database(t)
	name := strings.ToLower("vademecum_test_" + rand.Text()[:10])
	must(t, inServer(t.Context(), "CREATE DATABASE "+name))
	t.Cleanup(func() { must(t, inServer(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)")) })
	u, err := url.Parse(os.Getenv(serverVariable))
	must(t, err)
	u.Path = name
	a, err := Parse(u.String())
	must(t, err)
	return a
}

func migrate(ctx context.Context, at Address, serving string) error {
	_, err := BringUp(ctx, at, serving)
	return err
}

// TestMigrate: several at once make the tables once, and what is there stays.
func TestMigrate(t *testing.T) {
	at, ctx := emptyDatabase(t), t.Context()
	if _, err := Open(ctx, at, patience); !errors.Is(err, ErrBehind) {
		t.Errorf("without tables: %v", err)
	}
	faults := make(chan error, 4)
	for range cap(faults) {
		go func() { faults <- migrate(ctx, at, "") }()
	}
	for range cap(faults) {
		must(t, <-faults)
	}
	s := opened(t, at, patience)
	_, err := library(t, s, "l").Put(ctx, skipped("a.md"))
	must(t, err)
	must(t, migrate(ctx, at, made.name))
	if all, err := catalogtest.Records(ctx, library(t, s, "l")); err != nil || len(all) != 1 {
		t.Errorf("after another migration there are %v, %v", all, err)
	}
	if err := migrate(ctx, at, "nobody of that name"); err == nil || !strings.Contains(err.Error(), "nobody of that name") {
		t.Errorf("rights for nobody: %v", err)
	}
	if err := migrate(ctx, at, "Public"); err == nil || !strings.Contains(err.Error(), "everybody") {
		t.Errorf("rights for all: %v", err)
	}
}

// TestOlderTables: tables of an older version are brought up one migration after the
// other, and one that fails leaves nothing and is named.
func TestOlderTables(t *testing.T) {
	at, ctx := emptyDatabase(t), t.Context()
	conn, err := pgx.ConnectConfig(ctx, at.config.ConnConfig.Copy())
	must(t, err)
	defer conn.Close(context.WithoutCancel(ctx))
	run := func(statement string) {
		t.Helper()
		_, err := conn.Exec(ctx, statement)
		must(t, err)
	}
	run("CREATE SCHEMA vademecum; CREATE TABLE vademecum.schema_version (version int4 NOT NULL); INSERT INTO vademecum.schema_version VALUES (3)")
	for _, name := range []string{"001_libraries.sql", "002_words.sql", "003_near.sql"} {
		statements, err := migrations.ReadFile("migrations/" + name)
		must(t, err)
		run(string(statements))
	}
	const inTheWay = "vademecum.doubt_embedded()"
	run("CREATE FUNCTION " + inTheWay + " RETURNS int LANGUAGE sql AS 'SELECT 1'")
	if err := migrate(ctx, at, ""); err == nil || !strings.Contains(err.Error(), "004_embedded.sql") {
		t.Errorf("with a function in the way: %v", err)
	}
	var columns int
	must(t, conn.QueryRow(ctx, "SELECT count(*) FROM information_schema.columns WHERE table_schema = 'vademecum' AND column_name = 'embedded_before'").Scan(&columns))
	if have, err := versionOf(ctx, conn); err != nil || have != 3 || columns > 0 {
		t.Errorf("then the version is %d, %v, with %d columns of the next", have, err, columns)
	}
	run("DROP FUNCTION " + inTheWay)
	must(t, migrate(ctx, at, ""))
	missing, err := lacking(ctx, conn)
	if have, failed := versionOf(ctx, conn); err != nil || failed != nil || have != schemaLatest || len(missing) > 0 {
		t.Errorf("in the end the version is %d, %v, without %v, %v", have, failed, missing, err)
	}
	must(t, opened(t, at, patience).CheckTables(ctx))
}

// TestNewerTables: an older program goes on where newer tables let it, and else
// stops, even in the middle of its work.
func TestNewerTables(t *testing.T) {
	at, ctx := emptyDatabase(t), t.Context()
	must(t, migrate(ctx, at, ""))
	s := opened(t, at, patience)
	c := library(t, s, "l")
	alter := func(statement string) {
		t.Helper()
		_, err := s.pool.Exec(ctx, statement)
		must(t, err)
	}
	alter("UPDATE vademecum.schema_version SET version = 99")
	_, err := c.Put(ctx, skipped("a.md"))
	must(t, err)
	must(t, opened(t, at, patience).CheckTables(ctx))
	must(t, migrate(ctx, at, "")) // nothing is undone
	alter("UPDATE vademecum.program SET oldest = 99")
	if _, err := c.Put(ctx, skipped("b.md")); !errors.Is(err, catalog.ErrOtherFormat) {
		t.Errorf("put: %v", err)
	}
	if _, err := Open(ctx, at, patience); !errors.Is(err, catalog.ErrOtherFormat) {
		t.Errorf("opened: %v", err)
	}
	if all, err := catalogtest.Records(ctx, c); err != nil || len(all) != 1 {
		t.Errorf("there are %v, %v", all, err)
	}
}

// TestLeastRights: the role that serves can neither change the tables nor what says
// who may use them.
func TestLeastRights(t *testing.T) {
	s := serving(t)
	for _, statement := range []string{
		"CREATE TABLE vademecum.mine ()", "CREATE SCHEMA mine", "DROP TABLE vademecum.documents", "TRUNCATE vademecum.documents",
		"UPDATE vademecum.program SET oldest = 99", "DELETE FROM vademecum.schema_version", "ALTER TABLE vademecum.texts ADD mine int",
	} {
		if _, err := s.pool.Exec(t.Context(), statement); codeOf(err) != codeNoRights {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// TestNotBehindPooler: migrations need a session.
func TestNotBehindPooler(t *testing.T) {
	if err := migrate(t.Context(), behindPooler(t), ""); !errors.Is(err, ErrPooler) {
		t.Errorf("migrated: %v", err)
	}
}

// TestNoPassword: whatever goes wrong, no error, address or statement that the server
// shows has the password.
func TestNoPassword(t *testing.T) {
	const password = "canary-Pa55/w@rd'" // that ends before it ends
	ctx, escaped := t.Context(), url.QueryEscape(password)
	for _, text := range []string{
		"postgres://u:" + escaped + "@127.0.0.1:1/d", "postgres://u:" + escaped + "@127.0.0.1:99999/d", "postgres://u:" + password + "@[::1/d",
		"postgres://u:" + escaped + "@127.0.0.1:1,127.0.0.1:2/d?target_session_attrs=read-write", "postgres://u:" + escaped + "@127.0.0.1:1/d?sslmode=" + escaped,
		"host=127.0.0.1 port=1 user=u password='canary-Pa55", "host=127.0.0.1 port=1 password=canary-Pa55", "mysql://u:canary-Pa55@h/d", "canary-Pa55",
	} {
		at, err := Parse(text)
		said := at.String()
		if err == nil {
			_, err = Open(ctx, at, 1) // nobody listens there
			said += migrate(ctx, at, "").Error()
		}
		if said += err.Error(); strings.Contains(said, "canary") {
			t.Errorf("%s: %s", text, said)
		}
	}
	if os.Getenv(serverVariable) == "" {
		return
	}
	database(t)
	u, err := url.Parse(os.Getenv(serverVariable))
	must(t, err)
	u.User, u.Path = url.UserPassword(made.name, "canary-of-nobody"), made.name
	at, err := Parse(u.String())
	must(t, err)
	if _, err := Open(ctx, at, patience); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("with a wrong password: %v", err)
	}
	s := serving(t)
	_, err = library(t, s, anyName()).Put(ctx, skipped("a.md"))
	must(t, err)
	conn, err := pgx.Connect(ctx, os.Getenv(serverVariable))
	must(t, err)
	defer conn.Close(context.WithoutCancel(ctx))
	var shown int
	must(t, conn.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE pg_stat_activity::text LIKE $1", "%"+made.password+"%").Scan(&shown))
	if shown > 0 {
		t.Errorf("%d sessions show it", shown)
	}
}

// TestPlanForNewLibrary: the lists of a library that is new to a database are found by
// their terms, and not among all that the library has: who writes it has the statistics
// know of it.
func TestPlanForNewLibrary(t *testing.T) {
	at := emptyDatabase(t)
	must(t, migrate(t.Context(), at, ""))
	c := library(t, opened(t, at, patience), "new")
	conn, err := pgx.ConnectConfig(t.Context(), at.config.ConnConfig.Copy())
	must(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	const before, many = -1, 3 * describedFrom // number of the other library, passages
	run := func(statement string, args ...any) {
		t.Helper()
		_, err := conn.Exec(t.Context(), statement, args...)
		must(t, err)
	}
	write := func(library int64) {
		t.Helper()
		run(`INSERT INTO vademecum.postings (library, segment, term, count, list)
			SELECT $1::bigint, $1::bigint, convert_to('term' || n, 'UTF8'), 1, 'list' FROM generate_series(1, 30000) n`, library)
		run(`INSERT INTO vademecum.passages (library, slot, wording, text_key, chunk, sketch)
			SELECT $1::bigint, n, '', '', '', '' FROM generate_series(1, $2) n`, library, many)
	}
	write(before)
	run("ANALYZE vademecum.postings, vademecum.passages")
	write(c.library)
	run("INSERT INTO vademecum.segments (library, number, first, slots) VALUES ($1, $1, 0, $2)", c.library, many)
	run("UPDATE vademecum.libraries SET passages = $2, next_slot = $2 WHERE id = $1", c.library, many)
	plan := func(statement string) string {
		t.Helper()
		rows, err := conn.Query(t.Context(), "EXPLAIN "+statement, c.library, [][]byte{[]byte("term7")})
		must(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		must(t, err)
		return strings.Join(lines, "\n")
	}
	isByTerm := func() bool { t.Helper(); return strings.Contains(plan(selectLists), "postings_pkey") }
	if got := plan(insertWords); !strings.Contains(got, "Sort Key: w.word") {
		t.Errorf("words are put in while others are looked up:\n%s", got)
	}
	if isByTerm() {
		t.Error("before the statistics know of the library, too")
	}
	must(t, c.Tidy(t.Context()))
	if !isByTerm() {
		t.Error("all lists of the library are read for each term")
	}
}
