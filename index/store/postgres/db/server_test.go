package db

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/postgres/pgtest"
)

// server is the database of the tests, with as many of the tables as is looked at here.
var server = pgtest.New(func(ctx context.Context, address, role string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `CREATE SCHEMA vademecum; CREATE TABLE vademecum.libraries (id bigint, version bigint);
		INSERT INTO vademecum.libraries VALUES (1, 1); GRANT USAGE ON SCHEMA vademecum TO `+role+`;
		GRANT SELECT, INSERT, UPDATE, DELETE ON vademecum.libraries TO `+role)
	return err
})

func TestMain(m *testing.M) { server.RunTests(m) }

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// patience is the patience of tests in which nothing holds up the database.
const patience = 10 * time.Second

// opened opens a database until the end of the test.
func opened(t testing.TB, address string) *DB {
	t.Helper()
	at, err := ParseAddress(address)
	must(t, err)
	d, err := Open(t.Context(), at, patience)
	must(t, err)
	t.Cleanup(func() { must(t, d.Close()) })
	return d
}

// versionOf reads the version of the library as a question does.
func versionOf(t testing.TB, d *DB, known int64) (version int64) {
	t.Helper()
	must(t, d.WithSnapshot(t.Context(), func(ctx context.Context, s *Snapshot) error {
		err := s.Tx.QueryRow(ctx, "SELECT version FROM vademecum.libraries").Scan(&version)
		if err == nil && s.IsFromReplica && version < known {
			return ErrReplicaBehind
		}
		return err
	}))
	return version
}

// write counts the version up in a transaction that may be tried again, and calls
// meanwhile before it is committed.
func write(ctx context.Context, d *DB, meanwhile func(context.Context, pgx.Tx) error) error {
	return d.Retry(ctx, d.RetryTimeout, WriteTimeout, func(ctx context.Context) error {
		tx, err := d.BeginTx(ctx, QuickTimeout, d.BeginWriteStatement())
		if err != nil {
			return err
		}
		return d.InTx(ctx, tx, func(ctx context.Context) error {
			if _, err := tx.Exec(ctx, "UPDATE vademecum.libraries SET version = version + 1"); err != nil {
				return err
			}
			if err := meanwhile(ctx, tx); err != nil {
				return err
			}
			return tx.Commit(ctx)
		})
	})
}
