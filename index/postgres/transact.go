package postgres

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
	"vademecum/index/catalog"
	"vademecum/index/postgres/db"
	"vademecum/index/postgres/schema"
)

// change is a transaction that writes to a library. Nobody else writes to it before
// it has come to its end.
type change struct {
	pgx.Tx
	version int64 // of the library when it is committed
	last    int64 // the number of the last change
	foreign bool  // this process looks at it as if another had made it
	catalog.Written
}

// transact runs f in a transaction, and once more where the database has undone it
// for reasons that pass. Once it has begun it is brought to its end, as one that is
// broken off costs the connection.
func (c *Catalog) transact(ctx context.Context, f func(context.Context, *change) error) (catalog.Written, error) {
	var w catalog.Written
	var end error // what is not to be tried again
	err := c.store.Retry(ctx, c.store.Patience, db.WriteLimit, func(ctx context.Context) (err error) {
		if err := ctx.Err(); err != nil {
			return err
		}
		defer func() { c.store.NoteWrite(cmp.Or(err, end)) }()
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), db.WriteLimit)
		defer cancel()
		tx, err := c.store.BeginTx(limited, db.QuickLimit, c.store.BeginWrite())
		if err != nil {
			return err
		}
		return c.store.InTx(limited, tx, func(ctx context.Context) error {
			change, err := c.lock(ctx, tx)
			if err != nil {
				return err
			}
			if err := f(ctx, change); err != nil {
				return err
			}
			w, end = change.Written, c.commit(ctx, change)
			return nil
		})
	})
	if err = errors.Join(err, end); err != nil {
		return catalog.Written{}, db.ClassifyChange(err)
	}
	return w, nil
}

// unlocked calls f in a transaction that leaves alone what others look for, and does not
// wait for the library, nor have others wait. It may be called twice.
func (c *Catalog) unlocked(ctx context.Context, f func(context.Context, pgx.Tx) error) error {
	return db.Classify(c.store.Retry(ctx, c.store.Patience, db.WriteLimit, func(ctx context.Context) error {
		tx, err := c.store.BeginTx(ctx, db.QuickLimit, c.store.BeginWrite())
		if err != nil {
			return err
		}
		return c.store.InTx(ctx, tx, func(ctx context.Context) error {
			if err := f(ctx, tx); err != nil {
				return err
			}
			return tx.Commit(ctx)
		})
	}))
}

// origin is the number of the table of libraries, and of the database. A database that was
// restored, or made anew, has others, and those of a copy of a database are in another: a
// row of the same number may be another library there, or the same with other documents. A
// server that takes the place of one that is gone has the same.
const origin = "(SELECT oid::bigint << 32 FROM pg_database WHERE datname = current_database()) + libraries.tableoid::bigint"

// itself is the row of a library, by its number and its origin.
const itself = "id = $1 AND " + origin + " = $2"

// lock locks the row of the library, tells those who listen that it changes, and
// fails where this program may not write any more.
func (c *Catalog) lock(ctx context.Context, tx pgx.Tx) (*change, error) {
	w := &change{Tx: tx}
	var oldest int
	err := tx.QueryRow(ctx, `WITH locked AS (UPDATE vademecum.libraries SET version = version + 1 WHERE `+itself+` RETURNING version, last_change)
		SELECT version, last_change, oldest, pg_notify($3, $4) FROM locked, vademecum.program`,
		c.library, c.origin, db.Channel, strconv.FormatInt(c.library, 10)).Scan(&w.version, &w.last, &oldest, nil)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		err = db.ErrGone
	case err == nil && oldest > schema.Latest:
		err = catalog.ErrOtherFormat
	}
	return w, err
}

// commit notes whose the version is before others can see it.
func (c *Catalog) commit(ctx context.Context, w *change) error {
	if !w.foreign {
		c.own.add(w.version)
	}
	err := w.Commit(ctx)
	if err == nil {
		c.learn(w.version)
		return nil
	}
	if !w.foreign {
		c.own.remove(w.version)
	}
	switch code := db.CodeOf(err); {
	case code == "", code == db.CodeShutdown, code == db.CodeCrash, db.IsCut(err): // the server may have come to the end without saying so
		return fmt.Errorf("%w: %w", db.ErrUnknownEnd, err)
	}
	return err
}

// commits are the versions of a library that this process has made.
type commits struct {
	asking sync.Mutex // held while the version is asked for: answers come in order
	mu     sync.Mutex
	early  int     // how many there are up to the version that was asked for last
	late   []int64 // the others
}

func (o *commits) add(version int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.late = append(o.late, version)
}

// remove takes back what was not committed, or not for certain. Another process may
// have made that version meanwhile, and it may have been taken for ours.
func (o *commits) remove(version int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.Index(o.late, version); i >= 0 {
		o.late = slices.Delete(o.late, i, i+1)
	} else {
		o.early--
	}
}

// foreign is how many others there are up to a version.
func (o *commits) foreign(version int64) int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(o.late)
	o.late = slices.DeleteFunc(o.late, func(v int64) bool { return v <= version })
	o.early += n - len(o.late)
	return version - int64(o.early)
}

// Version is a number that changes whenever another process has committed.
func (c *Catalog) Version(ctx context.Context) (version int64, err error) {
	c.own.asking.Lock()
	defer c.own.asking.Unlock()
	var said string
	if c.heads && embed.IsStored(c.using) { // else each question fails
		if _, err := c.store.PgvectorSchema(ctx); err != nil {
			return 0, db.Classify(err)
		}
	}
	began := time.Now()
	err = c.row(ctx, "SELECT version, "+db.SelfReport+" FROM vademecum.libraries WHERE "+itself, []any{c.library, c.origin}, &version, &said)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return 0, db.ErrGone
	case err == nil:
		c.store.NoteLatency(time.Since(began))
		c.store.NoteReport(said)
	}
	c.learn(version)
	return c.own.foreign(version), err
}

// learn notes that this process knows of a version of the library.
func (c *Catalog) learn(version int64) {
	for last := c.known.Load(); version > last && !c.known.CompareAndSwap(last, version); last = c.known.Load() {
	}
}
