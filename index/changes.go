package index

import (
	"context"
	"database/sql"
	"errors"
)

// changing is a transaction that writes documents.
type changing struct {
	*sql.Tx
	first, last int64 // numbers of the changes noted
}

// changed notes that the row of a document was written or removed.
func (w *changing) changed(ctx context.Context, document int64) error {
	done, err := w.ExecContext(ctx, "INSERT INTO changes (document) VALUES (?)", document)
	if err != nil {
		return err
	}
	if w.last, err = done.LastInsertId(); err != nil {
		return err
	}
	if w.first == 0 {
		w.first = w.last
	}
	return nil
}

// change runs f in a transaction. Its changes count as followed, unless some
// before them are not. It fails when another process has become the indexer:
// what this one has read may be old.
func (c *catalogue) change(ctx context.Context, f func(*changing) error) error {
	w := &changing{}
	err := c.transact(ctx, func(tx *sql.Tx) error {
		if w.Tx = tx; c.overtaken != nil && c.overtaken() {
			return errOvertaken
		}
		if err := c.checkFormat(ctx, tx); err != nil {
			return err
		}
		return f(w)
	})
	if err == nil && w.first == c.followed+1 {
		c.followed = w.last
	}
	return err
}

// keepChanges is how many changes stay listed for processes that are behind.
const keepChanges = 10_000

// forgetChanges drops the oldest changes up to a number: those who need them
// compare all documents instead.
func (c *catalogue) forgetChanges(ctx context.Context, number int64) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM changes WHERE number <= ?", number-keepChanges)
		return err
	})
}

// moment calls f with the catalogue as it is at one moment, whatever is
// committed meanwhile.
func (c *catalogue) moment(ctx context.Context, f func(querier) error) error {
	tx, err := c.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	return f(tx)
}

// changesSince lists the documents that were written or removed after the
// change given, and the number of the last change. complete is false when
// some are no longer listed, or when the number was never given out.
func changesSince(ctx context.Context, from querier, number int64) (documents []int64, last int64, complete bool, err error) {
	if last, err = lastChange(ctx, from); err != nil || last == number {
		return nil, last, true, err
	}
	rows, err := from.QueryContext(ctx, "SELECT number, document FROM changes WHERE number > ? ORDER BY number", number)
	if err != nil {
		return nil, 0, false, err
	}
	defer rows.Close()
	next := number
	for rows.Next() {
		var n, document int64
		if err := rows.Scan(&n, &document); err != nil {
			return nil, 0, false, err
		}
		if next++; n != next {
			return nil, last, false, nil
		}
		documents = append(documents, document)
	}
	return documents, last, next == last, rows.Err()
}

// lastChange is the number of the last change ever noted, 0 when there was none.
func lastChange(ctx context.Context, from querier) (number int64, err error) {
	err = from.QueryRowContext(ctx, "SELECT seq FROM sqlite_sequence WHERE name = 'changes'").Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return number, err
}

// documentRows lists the row of every document.
func documentRows(ctx context.Context, from querier) ([]int64, error) {
	return rowNumbers(ctx, from, "SELECT id FROM documents")
}

// rowNumbers lists the numbers that a statement selects.
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
