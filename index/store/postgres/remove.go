package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
	"vademecum/internal/base/message"
)

var (
	// ErrLibraryNotFound means that there is no library of that name.
	ErrLibraryNotFound = message.Errorf("there is no such library")
	// ErrLibraryInUse means that a process keeps a library up to date, and would recreate it.
	ErrLibraryInUse = message.Errorf("a process keeps it up to date: end that process first")
)

// RemovedLibrary describes a library that was removed.
type RemovedLibrary struct {
	Documents int64 // number of documents in the format of this program
	// other processes of this program are connected, which may search the library; false if there
	// are none, or if that is unknown
	HasOtherConnections bool
}

// RemoveLibrary removes a library in all formats, with its texts and the vectors of all its models,
// however long that takes. The space is released by RemoveOldFormats.
func RemoveLibrary(ctx context.Context, address db.Address, libraryName string) (done RemovedLibrary, err error) {
	conn, err := schema.Connect(ctx, address)
	if err != nil {
		return done, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // by then, everything is written
	err = pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{BeginQuery: "begin; set local statement_timeout = 0"}, func(tx pgx.Tx) error {
		done.Documents, err = remove(ctx, tx, db.EscapeNUL(libraryName))
		return err
	})
	if err != nil {
		return done, fmt.Errorf("remove library %q: %w", libraryName, db.ClassifyError(err))
	}
	_ = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity
		WHERE datname = current_database() AND pid != pg_backend_pid() AND application_name = $1)`, db.ProgramName).Scan(&done.HasOtherConnections) // removed even if processes are connected
	return done, nil
}

func remove(ctx context.Context, tx pgx.Tx, library string) (documents int64, err error) {
	rows, err := tx.Query(ctx, `SELECT l.id, coalesce(d.name, '') FROM vademecum.libraries l
		LEFT JOIN vademecum.duties d ON d.library = l.id WHERE l.name = $1`, library)
	if err != nil {
		return 0, err
	}
	var id int64
	var lease string
	var locks []int64
	_, err = pgx.ForEachRow(rows, []any{&id, &lease}, func() error {
		locks = append(locks, advisoryLockKey(id, lease))
		return nil
	})
	if err != nil {
		return 0, err
	}
	for _, lock := range locks { // no process can acquire a lease until this is committed
		var free bool
		if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", lock).Scan(&free); err != nil {
			return 0, err
		}
		if !free {
			return 0, ErrLibraryInUse
		}
	}
	err = tx.QueryRow(ctx, "SELECT count(*) FROM vademecum.documents d JOIN vademecum.libraries l ON l.id = d.library WHERE l.name = $1 AND d.skip = ''", library).Scan(&documents)
	if err != nil {
		return 0, err
	}
	libraries, err := tx.Exec(ctx, "DELETE FROM vademecum.libraries WHERE name = $1", library)
	if err != nil {
		return 0, err
	}
	models, err := tx.Exec(ctx, "DELETE FROM vademecum.models WHERE library = $1", library)
	if err != nil {
		return documents, err
	}
	if libraries.RowsAffected()+models.RowsAffected() == 0 {
		return documents, ErrLibraryNotFound
	}
	_, err = tx.Exec(ctx, deleteUnusedPages)
	return documents, err
}
