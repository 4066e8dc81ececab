package schema

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/internal/base/message"
)

// firstPatience is how long to wait for a database that has not answered yet: the address may be
// wrong.
const firstPatience = 3 * time.Second

// Open opens a database that Migrate has prepared. retryTimeout is as in db.Open.
func Open(ctx context.Context, address db.Address, retryTimeout time.Duration) (*db.DB, error) {
	d, err := db.Open(ctx, address, retryTimeout)
	if err != nil {
		return nil, err
	}
	if err := checkVersionWithin(ctx, d, firstPatience); err != nil {
		_ = d.Close() // always succeeds
		return nil, err
	}
	return d, nil
}

// CheckVersion returns an error if the tables are not those of this program, or a backup is not
// completely restored yet.
func CheckVersion(ctx context.Context, d *db.DB) error {
	return checkVersionWithin(ctx, d, d.ReadRetryTimeout())
}

func checkVersionWithin(ctx context.Context, d *db.DB, retryTimeout time.Duration) error {
	d.InvalidatePgvectorSchema()
	err := d.Retry(ctx, retryTimeout, db.QuickTimeout, func(ctx context.Context) error {
		have, oldest, err := ReadVersion(ctx, d.Pool)
		if err == nil {
			err = checkVersions(have, oldest)
		}
		if err != nil {
			return err
		}
		return checkRestored(ctx, d.Pool)
	})
	if err != nil {
		return fmt.Errorf("open %s: %w", d.Address, db.ClassifyError(err))
	}
	return nil
}

// keyed lists the tables whose rows a server reads or writes.
var keyed = []string{"libraries", "documents", "texts", "chunks", "changes", "models", "vectors", "refusals", "settings", "requests", "duties",
	"passages", "segments", "postings", "gone", "vocabulary", "recognised"}

// checkRestored returns an error while a backup is being restored: keys are created once all rows
// of their tables exist. A process that read earlier would miss rows, and one that wrote would make
// the restore fail. All tables are created before that, so a missing table has been dropped.
func checkRestored(ctx context.Context, from db.RowQuerier) error {
	var keyless bool
	var missing []string
	err := from.QueryRow(ctx, `SELECT coalesce(bool_or(c.oid IS NOT NULL AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)), false),
			coalesce(array_agg(wanted.name) FILTER (WHERE c.oid IS NULL), '{}')
		FROM unnest($1::text[]) AS wanted(name) LEFT JOIN pg_class c ON c.relname = wanted.name AND c.relnamespace = 'vademecum'::regnamespace`, keyed).Scan(&keyless, &missing)
	switch {
	case err != nil:
		return err
	case keyless:
		return errRestoring
	case len(missing) > 0:
		return missingTables{db.NewSetupError(message.New("tables of this program are missing from the database (%s): vademecum store migrate recreates them", strings.Join(missing, ", ")), nil)}
	}
	return nil
}

// checkVersions returns an error if this program may not work with tables of a version;
// oldestProgram is the oldest version of programs that may.
func checkVersions(version, oldestProgram int) error {
	switch {
	case oldestProgram > LatestVersion:
		return errSchemaTooNew
	case version == 0:
		return errNoTables
	case version < LatestVersion:
		return ErrSchemaTooOld
	}
	return nil
}

// Errors for the operator of the database.
var (
	// ErrSchemaTooOld means that the tables are older than this program, or do not exist.
	ErrSchemaTooOld error = db.NewSetupError(message.New("the tables of the database are from an older version: upgrade them with vademecum store migrate"), nil)
	// errSchemaTooNew means that the tables are newer, and that this program may not use them.
	errSchemaTooNew error = db.NewExplainedError(message.New("the tables of the database are from a newer version: use that version of this program"), catalog.ErrOtherFormat)
	// errNoTables means that there are no tables.
	errNoTables error = db.NewSetupError(message.New("the database has no tables of this program yet: create them with vademecum store migrate"), ErrSchemaTooOld)
	// errRestoring means that the tables are not completely restored yet.
	errRestoring error = db.NewSetupError(message.New("the tables of the database have no keys yet: a backup is being restored"), nil)
)

// ReadVersion returns the version of the tables, 0 if there are none, and the version of the oldest
// programs that may work with them.
func ReadVersion(ctx context.Context, from db.RowQuerier) (version, oldestProgram int, err error) {
	err = from.QueryRow(ctx, "SELECT v.version, p.oldest FROM "+versionTable+" v, vademecum.program p").Scan(&version, &oldestProgram)
	if code := db.CodeOf(err); code == db.CodeNoTable || code == db.CodeNoSchema {
		return 0, 0, nil
	}
	return version, oldestProgram, err
}

// AreTablesMissing reports whether an error means that some tables are missing although others
// exist.
func AreTablesMissing(err error) bool { return errors.As(err, new(missingTables)) }

// missingTables is an error about tables that are missing although others exist.
type missingTables struct{ error }

func (l missingTables) Unwrap() error { return l.error }

// Connect connects to a database with the tables of this program.
func Connect(ctx context.Context, address db.Address) (*pgx.Conn, error) {
	conn, err := address.Connect(ctx)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", address, db.ClassifyError(err))
	}
	have, oldest, err := ReadVersion(ctx, conn)
	if err == nil {
		err = checkVersions(have, oldest)
	}
	if err != nil {
		_ = conn.Close(context.WithoutCancel(ctx)) // nothing has been written
		return nil, fmt.Errorf("open %s: %w", address, db.ClassifyError(err))
	}
	return conn, nil
}

// errNoVersion means that the version of the tables cannot be determined.
var errNoVersion error = db.NewSetupError(message.New("the database has tables of this program, but not those that record their version: restore them, or remove them with everything in them (DROP SCHEMA vademecum CASCADE) and run vademecum store migrate again"), nil)
