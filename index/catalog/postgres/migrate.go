package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/tern/v2/migrate"
)

// schemaLatest is the number of the last of the migrations: what this program needs.
const schemaLatest = 5

//go:embed migrations/*.sql
var migrations embed.FS

// versionTable is where their numbers are noted.
const versionTable = "vademecum.schema_version"

// ErrPooler says that a pooler stands between, which gives each transaction another
// session: who changes tables and indexes holds a lock in one, without its time limits.
var ErrPooler = errors.New("a pooler is in between: give the address of the server itself")

// Migrate makes the tables, or brings them up to this program: what is there stays,
// and programs of older versions go on where the new tables let them. The tables then
// belong to the role that the address names. A role named serving, if any, is given
// what a server needs, and no more: it can neither change tables nor read others'.
func Migrate(ctx context.Context, at Address, serving string) (err error) {
	if at.config == nil {
		return ErrAddress
	}
	conn, err := pgx.ConnectConfig(ctx, at.config.ConnConfig.Copy())
	if err != nil {
		return fmt.Errorf("migrate %s: %w", at, mark(err))
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if err := bringUp(ctx, conn); err != nil {
		return fmt.Errorf("migrate %s: %w", at, withOwner(ctx, conn, err))
	}
	if serving == "" {
		return nil
	}
	if err := grant(ctx, conn, serving); err != nil {
		return fmt.Errorf("grant %s what it needs: %w", serving, withOwner(ctx, conn, err))
	}
	return nil
}

func bringUp(ctx context.Context, conn *pgx.Conn) (err error) {
	direct, err := isDirect(ctx, conn)
	if err != nil {
		return err
	}
	if !direct {
		return ErrPooler
	}
	// Two who make the schema or the extension at once would both find none.
	if _, err := conn.Exec(ctx, "select pg_advisory_lock("+migrationLock+")"); err != nil {
		return err
	}
	defer func() { // those who wait hold up who makes an index
		_, failed := conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock("+migrationLock+")")
		err = errors.Join(err, failed)
	}()
	if err := extend(ctx, conn); err != nil {
		return err
	}
	have, _, err := schemaVersion(ctx, conn)
	if err != nil || have >= schemaLatest {
		return err
	}
	if _, err := conn.Exec(ctx, "create schema if not exists vademecum"); err != nil {
		return err
	}
	m, err := migrate.NewMigrator(ctx, conn, versionTable)
	if err != nil {
		return err
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	if err := m.LoadMigrations(files); err != nil {
		return err
	}
	return m.Migrate(ctx)
}

// extend adds pgvector to the database where the server has it and the role may. Who
// has no model needs none, and who has one is told: see CanCompare.
func extend(ctx context.Context, conn *pgx.Conn) error {
	var there bool
	err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector' AND installed_version IS NULL)").Scan(&there)
	if err != nil || !there {
		return err
	}
	_, err = conn.Exec(ctx, "create extension if not exists vector")
	if code := codeOf(err); code == codeNoRights || code == codeNoFile {
		return nil
	}
	return err
}

// migrationLock is the number of an advisory lock, which means nothing.
const migrationLock = "8386093290418283877"

// indexingLock is another.
const indexingLock = "8386093290418283878"

// grant gives a role what a server does with the tables.
func grant(ctx context.Context, conn *pgx.Conn, role string) error {
	if strings.EqualFold(role, "public") { // which stands for all roles, also in quotation marks
		return errors.New("public is everybody who may connect: name the role of the servers")
	}
	to := pgx.Identifier{role}.Sanitize()
	var there bool
	err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", role).Scan(&there)
	if err == nil && !there {
		err = fmt.Errorf("there is no such role: createuser, or CREATE ROLE %s LOGIN, makes it", to)
	}
	if err != nil {
		return err
	}
	for _, statement := range []string{
		"GRANT USAGE ON SCHEMA vademecum TO " + to,
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA vademecum TO " + to,
		"REVOKE INSERT, UPDATE, DELETE ON vademecum.program, " + versionTable + " FROM " + to,
		"GRANT USAGE ON ALL SEQUENCES IN SCHEMA vademecum TO " + to,
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// queryer is a connection, a pool of them, or a transaction.
type queryer interface {
	QueryRow(ctx context.Context, statement string, args ...any) pgx.Row
}

// schemaVersion is that of the tables, 0 where there are none, and of the oldest
// program that may work with them.
func schemaVersion(ctx context.Context, from queryer) (have, oldest int, err error) {
	err = from.QueryRow(ctx, "SELECT v.version, p.oldest FROM "+versionTable+" v, vademecum.program p").Scan(&have, &oldest)
	if code := codeOf(err); code == codeNoTable || code == codeNoSchema {
		return 0, 0, nil
	}
	return have, oldest, err
}

// isDirect tells whether the server itself is at the other end: a pooler gives its
// connections numbers of its own.
func isDirect(ctx context.Context, conn *pgx.Conn) (bool, error) {
	var pid uint32
	err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid)
	return pid == conn.PgConn().PID(), err
}
