package schema_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/catalogtest"
	"vademecum/index/store/postgres"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/pgtest"
	"vademecum/index/store/postgres/schema"
)

// TestMigrate: several at once make the tables once, and what is there stays.
func TestMigrate(t *testing.T) {
	at, ctx := emptyDatabase(t), t.Context()
	if _, err := postgres.Open(ctx, at, patience); !errors.Is(err, schema.ErrSchemaTooOld) {
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
	must(t, migrate(ctx, at, server.Role()))
	if all, err := catalogtest.Records(ctx, library(t, s, "l")); err != nil || len(all) != 1 {
		t.Errorf("after another migration there are %v, %v", all, err)
	}
	if err := migrate(ctx, at, "nobody of that name"); err == nil || !strings.Contains(err.Error(), "nobody of that name") {
		t.Errorf("rights for nobody: %v", err)
	}
	if err := migrate(ctx, at, "Public"); err == nil || !strings.Contains(err.Error(), "everyone") {
		t.Errorf("rights for all: %v", err)
	}
}

// TestOlderTables: tables of an older version are brought up one migration after the
// other, and one that fails leaves nothing and is named.
func TestOlderTables(t *testing.T) {
	at, ctx := emptyDatabase(t), t.Context()
	conn, err := pgx.ConnectConfig(ctx, at.Config.ConnConfig.Copy())
	must(t, err)
	defer conn.Close(context.WithoutCancel(ctx))
	run := func(statement string) {
		t.Helper()
		_, err := conn.Exec(ctx, statement)
		must(t, err)
	}
	run("CREATE SCHEMA vademecum; CREATE TABLE vademecum.schema_version (version int4 NOT NULL); INSERT INTO vademecum.schema_version VALUES (3)")
	for _, name := range []string{"001_libraries.sql", "002_words.sql", "003_near.sql"} {
		statements, err := schema.Migrations.ReadFile("migrations/" + name)
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
	if have, err := schema.VersionOf(ctx, conn); err != nil || have != 3 || columns > 0 {
		t.Errorf("then the version is %d, %v, with %d columns of the next", have, err, columns)
	}
	run("DROP FUNCTION " + inTheWay)
	must(t, migrate(ctx, at, ""))
	missing, err := schema.Lacking(ctx, conn)
	if have, failed := schema.VersionOf(ctx, conn); err != nil || failed != nil || have != schema.LatestVersion || len(missing) > 0 {
		t.Errorf("in the end the version is %d, %v, without %v, %v", have, failed, missing, err)
	}
	must(t, schema.CheckVersion(ctx, opened(t, at, patience).DB))
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
		_, err := s.Pool.Exec(ctx, statement)
		must(t, err)
	}
	alter("UPDATE vademecum.schema_version SET version = 99")
	_, err := c.Put(ctx, skipped("a.md"))
	must(t, err)
	must(t, schema.CheckVersion(ctx, opened(t, at, patience).DB))
	must(t, migrate(ctx, at, "")) // nothing is undone
	alter("UPDATE vademecum.program SET oldest = 99")
	if _, err := c.Put(ctx, skipped("b.md")); !errors.Is(err, catalog.ErrOtherFormat) {
		t.Errorf("put: %v", err)
	}
	if _, err := postgres.Open(ctx, at, patience); !errors.Is(err, catalog.ErrOtherFormat) {
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
		if _, err := s.Pool.Exec(t.Context(), statement); db.CodeOf(err) != db.CodeInsufficientPrivilege {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

// TestNotBehindPooler: schema.Migrations need a session.
func TestNotBehindPooler(t *testing.T) {
	if err := migrate(t.Context(), parsed(t, server.PooledAddress(t)), ""); !errors.Is(err, db.ErrBehindPooler) {
		t.Errorf("migrated: %v", err)
	}
}

// TestNoPassword: whatever goes wrong, no error, address or statement that the server
// shows has the password.
func TestNoPassword(t *testing.T) {
	const password = "canary-Pa55/w@rd'" // that ends before it ends
	ctx, escaped := t.Context(), url.QueryEscape(password)
	var group sync.WaitGroup // each that nobody answers is tried for a while
	for _, text := range []string{
		"postgres://u:" + escaped + "@127.0.0.1:1/d", "postgres://u:" + escaped + "@127.0.0.1:99999/d", "postgres://u:" + password + "@[::1/d",
		"postgres://u:" + escaped + "@127.0.0.1:1,127.0.0.1:2/d?target_session_attrs=read-write", "postgres://u:" + escaped + "@127.0.0.1:1/d?sslmode=" + escaped,
		"host=127.0.0.1 port=1 user=u password='canary-Pa55", "host=127.0.0.1 port=1 password=canary-Pa55", "mysql://u:canary-Pa55@h/d", "canary-Pa55",
	} {
		group.Go(func() {
			at, err := db.ParseAddress(text)
			said := at.String()
			if err == nil {
				_, err = postgres.Open(ctx, at, 1) // nobody listens there
				said += migrate(ctx, at, "").Error()
			}
			if said += err.Error(); strings.Contains(said, "canary") {
				t.Errorf("%s: %s", text, said)
			}
		})
	}
	group.Wait()
	if os.Getenv(pgtest.ServerVariable) == "" {
		return
	}
	server.SkipWithoutServer(t)
	u, err := url.Parse(os.Getenv(pgtest.ServerVariable))
	must(t, err)
	u.User, u.Path = url.UserPassword(server.Role(), "canary-of-nobody"), server.Role()
	at, err := db.ParseAddress(u.String())
	must(t, err)
	if _, err := postgres.Open(ctx, at, patience); err == nil || strings.Contains(err.Error(), "canary") {
		t.Errorf("with a wrong password: %v", err)
	}
	s := serving(t)
	_, err = library(t, s, anyName()).Put(ctx, skipped("a.md"))
	must(t, err)
	conn, err := pgx.Connect(ctx, os.Getenv(pgtest.ServerVariable))
	must(t, err)
	defer conn.Close(context.WithoutCancel(ctx))
	var shown int
	must(t, conn.QueryRow(ctx, "SELECT count(*) FROM pg_stat_activity WHERE pg_stat_activity::text LIKE $1", "%"+server.Password()+"%").Scan(&shown))
	if shown > 0 {
		t.Errorf("%d sessions show it", shown)
	}
}

// TestTablesMadeAgain: schema.Migrations and servers of the owner make again whichever table
// somebody has dropped, with its keys and rights, and keep vectors as far as they are
// there.
func TestTablesMadeAgain(t *testing.T) {
	at, s, _ := tended(t)
	role := server.Role()
	ctx := t.Context()
	if missing, err := schema.Lacking(ctx, s.Pool); err != nil || len(missing) > 0 {
		t.Fatalf("of what the schema.Migrations make %v is missing, %v", missing, err)
	}
	all, err := schema.Parts()
	must(t, err)
	tables := schema.TablesIn(all)
	if len(tables) != len(schema.Keyed)+1 { // and that of the program
		t.Errorf("the tables are %v", tables)
	}
	for _, table := range append(tables, "schema_version") {
		byServer := table != "program" && table != "schema_version" && table != "models" // there are vectors
		_, err := s.Pool.Exec(ctx, "DROP TABLE vademecum."+table+" CASCADE")
		must(t, err)
		if err := schema.CheckVersion(ctx, s.DB); !errors.Is(err, catalog.ErrSetupRequired) {
			t.Errorf("%s is gone: %v", table, err)
		}
		var made schema.RecreatedTables
		if byServer {
			made, err = schema.RecreateMissingTables(ctx, s.DB, []string{"l"})
		} else {
			made, err = schema.Migrate(ctx, at, "")
		}
		must(t, err)
		if byServer && (len(made.Objects) == 0 || made.Objects[0] != "table "+table || made.EmptiedLibraries != slices.Contains(schema.OfLibraries[schema.Spared:], table)) {
			t.Errorf("%s: %+v", table, made)
		}
		if missing, err := schema.Lacking(ctx, s.Pool); err != nil || len(missing) > 0 {
			t.Fatalf("after %s %v is missing, %v", table, missing, err)
		}
		must(t, schema.CheckVersion(ctx, s.DB))
		var granted bool
		must(t, s.Pool.QueryRow(ctx, "SELECT has_table_privilege($1, 'vademecum."+table+"', 'SELECT')", role).Scan(&granted))
		if !granted {
			t.Errorf("who serves may not read %s", table)
		}
		c := library(t, s, "l")
		_, err = c.Put(ctx, passaged("a.md", "alpha"))
		must(t, err)
		if done, err := c.Repair(ctx, true, func() bool { return true }); err != nil || done.Damage != nil {
			t.Errorf("after %s: %+v, %v", table, done, err)
		}
	}
	if _, err := s.Pool.Exec(ctx, "DROP INDEX vademecum.passages_wording"); err != nil {
		t.Fatal(err)
	}
	if made, err := schema.Migrate(ctx, at, ""); err != nil || len(made.Objects) != 1 || made.Objects[0] != "index passages (library, wording)" || made.EmptiedLibraries {
		t.Errorf("an index: %+v, %v", made, err)
	}
}

// TestServerSparesOthers: where a minor table is lost no library loses anything, and where
// documents are lost no server gives up libraries that are not its own.
func TestServerSparesOthers(t *testing.T) {
	at, s, _ := tended(t)
	ctx := t.Context()
	c := mended(t, s, "another's")
	must(t, c.SaveVectors(ctx, "", map[catalog.EmbeddingKey][]float32{{7}: {1, 2}}))
	count := func(of string) (n int) {
		t.Helper()
		must(t, s.Pool.QueryRow(ctx, "SELECT count(*) FROM vademecum."+of).Scan(&n))
		return n
	}
	documents, vectors := count("documents"), count("vectors")
	drop := func(what string) {
		t.Helper()
		_, err := s.Pool.Exec(ctx, "DROP "+what+" CASCADE")
		must(t, err)
	}
	for _, table := range append([]string{"refusals"}, schema.OfLibraries[:schema.Spared]...) {
		drop("TABLE vademecum." + table)
		made, err := schema.RecreateMissingTables(ctx, s.DB, nil)
		if err != nil || made.EmptiedLibraries || count("documents") != documents || count("vectors") != vectors {
			t.Errorf("%s: %+v, %v, %d documents and %d vectors", table, made, err, count("documents"), count("vectors"))
		}
	}
	for _, what := range []string{"TABLE vademecum.program", "SEQUENCE vademecum.document_ids", "SEQUENCE vademecum.segment_numbers"} {
		drop(what)
		if made, err := schema.Migrate(ctx, at, server.Role()); err != nil || made.EmptiedLibraries || count("documents") != documents {
			t.Errorf("%s: %+v, %v", what, made, err)
		}
	}
	_, err := c.Put(ctx, passaged("7.md", "a number that nobody has"))
	must(t, err)
	if done, err := c.Repair(ctx, true, func() bool { return true }); err != nil || done.Damage != nil {
		t.Errorf("after that: %+v, %v", done, err)
	}
	drop("TABLE vademecum.texts")
	if _, err := schema.RecreateMissingTables(ctx, s.DB, []string{"l"}); !errors.Is(err, catalog.ErrSetupRequired) || !strings.Contains(err.Error(), "another's") || count("documents") != documents+1 {
		t.Errorf("a server: %v, and there are %d documents", err, count("documents"))
	}
	if made, err := schema.RecreateMissingTables(ctx, s.DB, []string{"l", "another's"}); err != nil || !made.EmptiedLibraries || count("documents") != 0 || count("vectors") != vectors {
		t.Errorf("a server of both: %+v, %v", made, err)
	}
	drop("TABLE vademecum.models")
	if _, err := schema.RecreateMissingTables(ctx, s.DB, []string{"l", "another's"}); !errors.Is(err, catalog.ErrSetupRequired) || count("vectors") != vectors {
		t.Errorf("vectors of nobody knows what: %v", err)
	}
}

// TestNoVersion: tables that are not whole, and of which nothing says of which version they
// are, are left alone.
func TestNoVersion(t *testing.T) {
	at, ctx := emptyDatabase(t), t.Context()
	must(t, migrate(ctx, at, ""))
	s := opened(t, at, patience)
	for _, statement := range []string{"DROP TABLE vademecum.schema_version", "DROP INDEX vademecum.passages_key"} {
		_, err := s.Pool.Exec(ctx, statement)
		must(t, err)
	}
	if made, err := schema.Migrate(ctx, at, ""); !errors.Is(err, schema.ErrNoVersion) {
		t.Errorf("it made %+v, %v", made, err)
	}
}
