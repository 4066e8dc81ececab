package schema

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/postgres/db"
	"vademecum/internal/base/message"
)

// LatestVersion is the number of the last migration, which this program requires.
const LatestVersion = 6

// migrations holds the statements that create and upgrade the tables: migration n makes version n.
//
//go:embed migrations/*.sql
var migrations embed.FS

// versionTable has one row, with the number of the last migration applied.
const versionTable = "vademecum.schema_version"

// Migrate creates the tables, or upgrades them for this program: existing data is kept, and
// programs of older versions continue to work if the new tables permit it. The tables then belong
// to the role in the address. serverRole, unless it is "", is granted what a server needs and no
// more: it can neither change tables nor read those of others. Missing tables are recreated, see
// restoreTables.
func Migrate(ctx context.Context, address db.Address, serverRole string) (made RecreatedTables, err error) {
	conn, err := address.Connect(ctx)
	if err != nil {
		return made, fmt.Errorf("migrate %s: %w", address, db.ClassifyError(err))
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	if made, err = migrate(ctx, conn); err != nil {
		return made, fmt.Errorf("migrate %s: %w", address, withOwnerHint(ctx, conn, err))
	}
	if serverRole == "" {
		return made, nil
	}
	if err := grantRights(ctx, conn, serverRole); err != nil {
		return made, fmt.Errorf("grant %s what it needs: %w", serverRole, withOwnerHint(ctx, conn, err))
	}
	return made, nil
}

func migrate(ctx context.Context, conn *pgx.Conn) (made RecreatedTables, err error) {
	direct, err := db.IsDirectConnection(ctx, conn)
	if err != nil {
		return made, err
	}
	if !direct {
		return made, db.ErrBehindPooler
	}
	// Two processes that create the schema or the extension concurrently would both find none.
	if _, err := conn.Exec(ctx, "select pg_advisory_lock("+migrationLock+")"); err != nil {
		return made, err
	}
	defer func() { // waiting connections delay the one that builds an index
		_, failed := conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock("+migrationLock+")")
		err = errors.Join(err, failed)
	}()
	if err := addPgvector(ctx, conn); err != nil {
		return made, err
	}
	have, err := versionOf(ctx, conn)
	switch {
	case err != nil || have > LatestVersion:
		return made, err
	case have == LatestVersion:
		return restoreMissing(ctx, conn)
	}
	return made, applyMigrations(ctx, conn, have)
}

// versionOf returns the version of the tables, 0 if there are none. If the version is no longer
// recorded, all tables of this program must exist.
func versionOf(ctx context.Context, conn *pgx.Conn) (version int, err error) {
	err = conn.QueryRow(ctx, "SELECT version FROM "+versionTable).Scan(&version)
	switch code := db.CodeOf(err); {
	case err == nil && version > 0:
		return version, nil
	case err != nil && code != db.CodeNoTable && !errors.Is(err, pgx.ErrNoRows):
		return 0, err
	}
	missing, err := missingObjects(ctx, conn)
	if db.CodeOf(err) == db.CodeNoSchema {
		return 0, nil
	}
	all, failed := schemaObjects()
	if err = errors.Join(err, failed); err != nil || len(tablesIn(missing)) == len(tablesIn(all)) {
		return 0, err
	}
	if len(missing) > 0 { // the tables may be from an older version, which lacks what later ones have added
		return 0, errNoVersion
	}
	return LatestVersion, nil
}

// restoreMissing recreates the missing tables and other objects.
func restoreMissing(ctx context.Context, conn *pgx.Conn) (made RecreatedTables, err error) {
	missing, err := missingObjects(ctx, conn)
	if err != nil {
		return made, err
	}
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if err := setVersion(ctx, tx, LatestVersion); err != nil {
			return err
		}
		return restoreTables(ctx, tx, missing)
	})
	return describeRestored(missing), err
}

// applyMigrations applies the migrations after the first applied ones, each in a transaction.
func applyMigrations(ctx context.Context, conn *pgx.Conn, applied int) error {
	if _, err := conn.Exec(ctx, "create schema if not exists vademecum"); err != nil {
		return err
	}
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	for i, name := range names[applied:] {
		statements, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, string(statements)); err != nil {
				return err
			}
			return setVersion(ctx, tx, applied+i+1)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", path.Base(name), err)
		}
	}
	return nil
}

// setVersion records the version of the tables.
func setVersion(ctx context.Context, tx pgx.Tx, version int) error {
	_, err := tx.Exec(ctx, fmt.Sprintf(`CREATE TABLE IF NOT EXISTS %[1]s (version int4 NOT NULL);
		DELETE FROM %[1]s; INSERT INTO %[1]s VALUES (%d)`, versionTable, version))
	return err
}

// addPgvector adds pgvector to the database if the server has it and the role is allowed to. It is
// needed only with a model; then db.DB.CheckPgvector reports if it is missing.
func addPgvector(ctx context.Context, conn *pgx.Conn) error {
	var there bool
	err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector' AND installed_version IS NULL)").Scan(&there)
	if err != nil || !there {
		return err
	}
	_, err = conn.Exec(ctx, "create extension if not exists vector")
	if code := db.CodeOf(err); code == db.CodeInsufficientPrivilege || code == db.CodeNoFile {
		return nil
	}
	return err
}

// migrationLock is the key of the advisory lock for migrations, an arbitrary number.
const migrationLock = "8386093290418283877"

// VectorIndexingLockKey is the key of the advisory lock for building indexes of vectors.
const VectorIndexingLockKey = "8386093290418283878"

// grantRights grants a role what a server needs to use the tables.
func grantRights(ctx context.Context, conn *pgx.Conn, role string) error {
	if strings.EqualFold(role, "public") { // stands for all roles, even if quoted
		return message.Errorf("public means everyone who may connect: give the role of the servers")
	}
	to := pgx.Identifier{role}.Sanitize()
	var there bool
	err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", role).Scan(&there)
	if err == nil && !there {
		err = message.Errorf("there is no such role: createuser, or CREATE ROLE %s LOGIN, creates it", to)
	}
	if err != nil {
		return err
	}
	for _, statement := range grantStatements(role) {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// grantStatements returns the statements that grant a role what a server needs to use the tables.
func grantStatements(role string) []string {
	to := pgx.Identifier{role}.Sanitize()
	return []string{
		"GRANT USAGE ON SCHEMA vademecum TO " + to,
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA vademecum TO " + to,
		"REVOKE INSERT, UPDATE, DELETE ON vademecum.program, " + versionTable + " FROM " + to,
		"GRANT USAGE ON ALL SEQUENCES IN SCHEMA vademecum TO " + to,
	}
}
