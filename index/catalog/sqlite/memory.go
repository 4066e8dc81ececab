package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// isRefused tells whether an error is that of a disk which does not take what
// is written.
func isRefused(err error) bool {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY:
		return true
	}
	switch e.Code() {
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_DIR_FSYNC,
		sqlite3.SQLITE_IOERR_TRUNCATE, sqlite3.SQLITE_IOERR_DELETE, sqlite3.SQLITE_IOERR_CLOSE,
		sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMMAP:
		return true
	}
	return false
}

// IsStranded tells whether the disk no longer takes what is written to a
// catalogue.
func (c *Catalog) IsStranded() bool {
	return !c.unsaved && c.refused.Load() != nil && !c.IsReplaced()
}

// savedTables are those that are copied, in whole, each with its key.
var savedTables = []string{"meta", "models", "vectors", "documents", "texts", "chunks", "refusals"}

// CopyToMemory makes a catalogue in memory that holds what this one does, and
// tells the last change that is in it. It begins with no changes of its own.
func (c *Catalog) CopyToMemory(ctx context.Context) (_ *Catalog, last int64, err error) {
	to, err := newInMemory(c.file)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, to.Close())
		}
	}()
	if err := to.migrate(ctx); err != nil {
		return nil, 0, err
	}
	to.why, to.model, to.Before, to.whole = *c.refused.Load(), c.model, c.Before, true
	err = c.moment(ctx, func(now querier) error {
		if last, err = lastChange(ctx, now); err != nil {
			return err
		}
		return to.transact(ctx, func(tx *sql.Tx) error {
			for _, table := range savedTables {
				if _, err := copyRows(ctx, tx, now, table, nil, "SELECT * FROM "+table); err != nil {
					return fmt.Errorf("copy %s: %w", table, err)
				}
			}
			_, err := tx.ExecContext(ctx, "DELETE FROM meta WHERE key = 'snapshot'") // there is none of this one
			return err
		})
	})
	return to, last, err
}

// copyRows copies the rows that a statement selects into a table, after change
// if that is not nil, and returns the number of the last one.
func copyRows(ctx context.Context, to *sql.Tx, from querier, table string, change func(row []any), statement string, args ...any) (last int64, err error) {
	rows, err := from.QueryContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	insert, err := to.PrepareContext(ctx, fmt.Sprintf("INSERT OR REPLACE INTO %s (%s) VALUES (?%s)", table, strings.Join(columns, ", "), strings.Repeat(", ?", len(columns)-1)))
	if err != nil {
		return 0, err
	}
	defer insert.Close()
	row, places := make([]any, len(columns)), make([]any, len(columns))
	for i := range row {
		places[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(places...); err != nil {
			return 0, err
		}
		for i, value := range row {
			if raw, isBlob := value.([]byte); value == nil || isBlob && raw == nil {
				row[i] = []byte{} // an empty one: no column holds NULL
			}
		}
		if change != nil {
			change(row)
		}
		done, err := insert.ExecContext(ctx, row...)
		if err != nil {
			return 0, err
		}
		if last, err = done.LastInsertId(); err != nil {
			return 0, err
		}
	}
	return last, rows.Err()
}

// proof is how many bytes a disk has to take before a catalogue on it is trusted
// to take more.
const proof = 1 << 20

// TakeBack saves to a catalogue on the disk what one in memory holds, all or
// nothing, where this process is the one that writes. The error is that of a
// disk that does not take it.
func (c *Catalog) TakeBack(ctx context.Context, from *Catalog, leads bool) error {
	if err := c.Values().Set(ctx, "proof", strings.Repeat("-", proof)); err != nil {
		return err
	}
	if err := c.Values().Set(ctx, "proof", ""); err != nil || !leads {
		return err
	}
	_, err := c.change(ctx, func(_ context.Context, w *changing) error {
		have, err := summaries(ctx, w)
		if err != nil {
			return err
		}
		held, err := summaries(ctx, from.write)
		if err != nil {
			return err
		}
		for path := range have {
			if _, ok := held[path]; !ok && from.whole {
				if err := w.delete(ctx, path); err != nil {
					return err
				}
			}
		}
		for path, s := range held {
			if have[path].summary != s.summary {
				if err := w.copyDocument(ctx, from, path, s.id); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return err
}

// summary tells whether two rows are of the same document.
type summary struct {
	size, modified, checksum int64
	hash                     [32]byte
}

type summarised struct {
	summary
	id int64
}

// summaries lists the documents by their paths.
func summaries(ctx context.Context, from querier) (map[string]summarised, error) {
	rows, err := from.QueryContext(ctx, "SELECT id, path, size, modified, checksum, hash FROM documents")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := make(map[string]summarised)
	for rows.Next() {
		var s summarised
		var path string
		var hash []byte
		if err := rows.Scan(&s.id, &path, &s.size, &s.modified, &s.checksum, &hash); err != nil {
			return nil, err
		}
		copy(s.hash[:], hash)
		all[path] = s
	}
	return all, rows.Err()
}

// copyDocument puts a document of another catalogue in the place of the one at
// its path. It gets a row of its own.
func (w *changing) copyDocument(ctx context.Context, from *Catalog, path string, id int64) error {
	if err := w.delete(ctx, path); err != nil {
		return err
	}
	fresh, err := copyRows(ctx, w.Tx, from.write, "documents", func(row []any) { row[0] = nil }, "SELECT * FROM documents WHERE id = ?", id)
	if err != nil {
		return err
	}
	for _, table := range []string{"texts", "chunks"} {
		_, err := copyRows(ctx, w.Tx, from.write, table, func(row []any) { row[0] = fresh }, "SELECT * FROM "+table+" WHERE document = ?", id)
		if err != nil {
			return err
		}
	}
	return w.changed(ctx, fresh)
}
