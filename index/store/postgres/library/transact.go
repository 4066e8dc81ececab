package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/embed"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
)

// WriteTx is a transaction that writes to a library. No other process can write to the library
// until it ends.
type WriteTx struct {
	pgx.Tx
	version         int64 // version of the library once it is committed
	PreviousChange  int64 // number of the last change before this transaction
	CountsAsForeign bool  // this process treats the commit as if another process had made it
	catalog.CommitResult
}

// Transact runs f in a transaction, and again if the database rolled that back for a transient
// reason. Once begun, the transaction is brought to its end, because interrupting it costs the
// connection.
func (l *Library) Transact(ctx context.Context, f func(context.Context, *WriteTx) error) (catalog.CommitResult, error) {
	var w catalog.CommitResult
	var end error // error that must not be retried
	err := l.DB.Retry(ctx, l.DB.RetryTimeout, db.WriteTimeout, func(ctx context.Context) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		defer func() { l.DB.RecordWriteResult(cmp.Or(err, end)) }()
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), db.WriteTimeout)
		defer cancel()
		tx, err := l.DB.BeginTx(limited, db.QuickTimeout, l.DB.BeginWriteStatement())
		if err != nil {
			return err
		}
		return l.DB.InTx(limited, tx, func(ctx context.Context) error {
			change, err := l.lock(ctx, tx)
			if err != nil {
				return err
			}
			if err := f(ctx, change); err != nil {
				return err
			}
			w, end = change.CommitResult, l.commit(ctx, change)
			return nil
		})
	})
	if err = errors.Join(err, end); err != nil {
		return catalog.CommitResult{}, db.ClassifyWriteError(err)
	}
	return w, nil
}

// TransactUnlocked calls f in a transaction that changes nothing that other processes watch. It
// neither waits for other writers of the library nor blocks them. f may be called twice.
func (l *Library) TransactUnlocked(ctx context.Context, f func(context.Context, pgx.Tx) error) error {
	return db.ClassifyError(l.DB.Retry(ctx, l.DB.RetryTimeout, db.WriteTimeout, func(ctx context.Context) error {
		tx, err := l.DB.BeginTx(ctx, db.QuickTimeout, l.DB.BeginWriteStatement())
		if err != nil {
			return err
		}
		return l.DB.InTx(ctx, tx, func(ctx context.Context) error {
			if err := f(ctx, tx); err != nil {
				return err
			}
			return tx.Commit(ctx)
		})
	}))
}

// tableIdentity is an expression for an identifier of the table of libraries and its database. It differs
// in a database that was restored or recreated, and in a copy of a database, where a row with the
// same number may be another library, or the same with other documents. It is the same on a server
// that replaces another for the same database.
const tableIdentity = "(SELECT oid::bigint << 32 FROM pg_database WHERE datname = current_database()) + libraries.tableoid::bigint"

// RowCondition is the condition for the row of a library, by its number and the identity of its
// table.
const RowCondition = "id = $1 AND " + tableIdentity + " = $2"

// lock locks the row of the library, notifies listeners of the change, and returns an error if this
// program may no longer write.
func (l *Library) lock(ctx context.Context, tx pgx.Tx) (*WriteTx, error) {
	w := &WriteTx{Tx: tx}
	var oldest int
	err := tx.QueryRow(ctx, `WITH locked AS (UPDATE vademecum.libraries SET version = version + 1 WHERE `+RowCondition+` RETURNING version, last_change)
		SELECT version, last_change, oldest, pg_notify($3, $4) FROM locked, vademecum.program`,
		l.ID, l.TableIdentity, db.NotificationChannel, strconv.FormatInt(l.ID, 10)).Scan(&w.version, &w.PreviousChange, &oldest, nil)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		err = db.ErrLibraryRemoved
	case err == nil && oldest > schema.LatestVersion:
		err = catalog.ErrOtherFormat
	}
	return w, err
}

// commit commits w. It records beforehand that the version is this process's own, since others can see
// it at once.
func (l *Library) commit(ctx context.Context, w *WriteTx) error {
	if !w.CountsAsForeign {
		l.own.add(w.version)
	}
	err := w.Commit(ctx)
	if err == nil {
		l.RecordSeenVersion(w.version)
		return nil
	}
	if !w.CountsAsForeign {
		l.own.remove(w.version)
	}
	switch code := db.CodeOf(err); {
	case code == "", code == db.CodeShutdown, code == db.CodeCrash, db.IsDisconnected(err):
		// it may have committed
		return fmt.Errorf("%w: %w", db.ErrCommitOutcomeUnknown, err)
	}
	return err
}

// ownVersions records which versions of a library this process has committed.
type ownVersions struct {
	asking sync.Mutex // held while the version is queried, so that results arrive in order
	mu     sync.Mutex
	early  int     // number of own versions up to the last version that was queried
	late   []int64 // later own versions
}

func (o *ownVersions) add(version int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.late = append(o.late, version)
}

// remove removes a version that was not committed, or not for certain. Another process may have
// committed that version in the meantime, and it may have been mistaken for ours.
func (o *ownVersions) remove(version int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.Index(o.late, version); i >= 0 {
		o.late = slices.Delete(o.late, i, i+1)
	} else {
		o.early--
	}
}

// countForeignUpTo returns how many versions up to the given one were committed by other processes.
func (o *ownVersions) countForeignUpTo(version int64) int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.late)
	o.late = slices.DeleteFunc(o.late, func(v int64) bool { return v <= version })
	o.early += n - len(o.late)
	return version - int64(o.early)
}

// RequirePgvector makes ForeignVersion fail if the database cannot compare the vectors of the model in use,
// because each query would fail.
func (l *Library) RequirePgvector() { l.requiresPgvector = true }

// IsOutdated reports whether this process has seen a later version of the library.
func (l *Library) IsOutdated(version int64) bool { return version < l.known.Load() }

// ForeignVersion returns a number that changes whenever another process has committed.
func (l *Library) ForeignVersion(ctx context.Context) (version int64, err error) {
	l.own.asking.Lock()
	defer l.own.asking.Unlock()
	var said string
	if l.requiresPgvector && embed.IsWorthStoring(l.ModelName) {
		if _, err := l.DB.PgvectorSchema(ctx); err != nil {
			return 0, db.ClassifyError(err)
		}
	}
	began := time.Now()
	err = l.QueryRow(ctx, "SELECT version, "+db.WriteStatusQuery+" FROM vademecum.libraries WHERE "+RowCondition, []any{l.ID, l.TableIdentity}, &version, &said)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return 0, db.ErrLibraryRemoved
	case err == nil:
		l.DB.RecordLatency(time.Since(began))
		l.DB.RecordWriteStatus(said)
	}
	l.RecordSeenVersion(version)
	return l.own.countForeignUpTo(version), err
}

// RecordSeenVersion records that this process has seen a version of the library.
func (l *Library) RecordSeenVersion(version int64) {
	for last := l.known.Load(); version > last && !l.known.CompareAndSwap(last, version); last = l.known.Load() {
	}
}
