package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"vademecum/index/store/catalog"
)

// changeTx is a transaction that writes documents, usually many. It prepares each statement only
// once, because preparing takes longer than running it.
type changeTx struct {
	*sql.Tx
	prepared map[string]*sql.Stmt // valid until the end of the transaction
	catalog.CommitResult
}

// ExecContext runs a statement in the transaction.
func (w *changeTx) ExecContext(ctx context.Context, statement string, args ...any) (sql.Result, error) {
	s, err := w.prepare(ctx, statement)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(ctx, args...)
}

func (w *changeTx) prepare(ctx context.Context, statement string) (*sql.Stmt, error) {
	if s := w.prepared[statement]; s != nil {
		return s, nil
	}
	s, err := w.PrepareContext(ctx, statement)
	if err == nil {
		w.prepared[statement] = s
	}
	return s, err
}

// recordChanged adds the row of a document that was written or removed to the list of changes.
func (w *changeTx) recordChanged(ctx context.Context, document int64) error {
	done, err := w.ExecContext(ctx, "INSERT INTO changes (document) VALUES (?)", document)
	if err != nil {
		return err
	}
	if w.LastChange, err = done.LastInsertId(); err != nil {
		return err
	}
	if w.FirstChange == 0 {
		w.FirstChange = w.LastChange
	}
	return nil
}

// writeDocuments runs f in a transaction, with a context that is not cancelled before its end. It
// returns catalog.ErrLeaseLost if another process has become the indexer, because what this one has
// read may be outdated.
func (c *Catalog) writeDocuments(ctx context.Context, f func(context.Context, *changeTx) error) (catalog.CommitResult, error) {
	w := &changeTx{prepared: make(map[string]*sql.Stmt)}
	err := c.transact(ctx, func(tx *sql.Tx) error {
		if w.Tx = tx; c.overtaken != nil && c.overtaken() {
			return catalog.ErrLeaseLost
		}
		// checking for cancellation at each statement takes longer than most statements
		ctx := context.WithoutCancel(ctx)
		if err := c.checkFormat(ctx, tx); err != nil {
			return err
		}
		if err := f(ctx, w); err != nil {
			return err
		}
		return w.forgetChanges(ctx)
	})
	if err != nil {
		return catalog.CommitResult{}, err
	}
	return w.CommitResult, nil
}

// forgetChanges deletes the oldest changes, if w makes that due.
func (w *changeTx) forgetChanges(ctx context.Context) error {
	last := w.LastForgottenChange()
	if last == 0 {
		return nil
	}
	_, err := w.ExecContext(ctx, "DELETE FROM changes WHERE number <= ?", last)
	return err
}

// readAtOneMoment runs f in a read transaction: f sees a consistent state, regardless of concurrent
// commits by other processes.
func (c *Catalog) readAtOneMoment(ctx context.Context, f func(querier) error) error {
	tx, err := c.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	return f(tx)
}

// Changes returns a page of the changes after the given one, read in one transaction. A row that
// one page lists as removed may be reused by a new document in a later page.
func (c *Catalog) Changes(ctx context.Context, after int64) (d catalog.Delta, err error) {
	err = c.readAtOneMoment(ctx, func(now querier) error {
		if err := c.checkFormat(ctx, now); err != nil {
			return err
		}
		last, err := lastChange(ctx, now)
		if err != nil {
			return err
		}
		var listed []catalog.Change
		if after != catalog.NoKnownChange {
			if listed, err = changesAfter(ctx, now, after); err != nil {
				return err
			}
		}
		d, err = catalog.NewDelta(after, last, listed, func(row int64) (catalog.Record, error) { return readRecord(ctx, now, row) })
		return err
	})
	return d, c.recordError(err)
}

// changesAfter lists the changes after the given one, at most catalog.PageRows of them.
func changesAfter(ctx context.Context, from querier, after int64) (listed []catalog.Change, err error) {
	rows, err := from.QueryContext(ctx, "SELECT number, document FROM changes WHERE number > ? ORDER BY number LIMIT ?", after, catalog.PageRows)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var c catalog.Change
		if err := rows.Scan(&c.Number, &c.Row); err != nil {
			return nil, err
		}
		listed = append(listed, c)
	}
	return listed, rows.Err()
}

// lastChange returns the number of the last change ever recorded; 0 if there was none.
func lastChange(ctx context.Context, from querier) (number int64, err error) {
	err = from.QueryRowContext(ctx, "SELECT seq FROM sqlite_sequence WHERE name = 'changes'").Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return number, err
}

// rowNumbers returns the numbers that a statement selects.
func rowNumbers(ctx context.Context, from querier, statement string, args ...any) ([]int64, error) {
	rows, err := from.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []int64
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, rows.Err()
}
