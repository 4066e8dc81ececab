package index

import (
	"context"
	"database/sql"
	"errors"
	"slices"
)

// changing is a transaction that writes documents.
type changing struct {
	*sql.Tx
	written
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

// written says what a commit has changed.
type written struct {
	id          int64 // row of the document that was put
	first, last int64 // numbers of the changes; 0 when there were none
}

// change runs f in a transaction. It fails when another process has become the
// indexer: what this one has read may be old.
func (c *catalogue) change(ctx context.Context, f func(*changing) error) (written, error) {
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
	if err != nil {
		return written{}, err
	}
	return w.written, nil
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

// delta is what has changed since a change: the documents as they are now, by
// their rows, and the rows that are gone.
type delta struct {
	records []record
	gone    []int64
	last    int64 // the number of the last change that is in it
	more    bool  // others follow
	reset   bool  // not all changes are listed any more: all documents are to be read again
}

// pageRows is how many documents are read at once, for the sake of memory.
const pageRows = 500

// changes lists what has changed since a change, at one moment. What of it is
// gone may be in the place of something new in a later page.
func (c *catalogue) changes(ctx context.Context, after int64) (d delta, err error) {
	err = c.moment(ctx, func(now querier) error {
		if err := c.checkFormat(ctx, now); err != nil {
			return err
		}
		rows, err := d.since(ctx, now, after)
		if err != nil || d.reset {
			return err
		}
		for _, row := range slices.Compact(slices.Sorted(slices.Values(rows))) {
			r, err := readRecord(ctx, now, row)
			switch {
			case err != nil:
				return err
			case r.id == 0:
				d.gone = append(d.gone, row)
			default:
				d.records = append(d.records, r)
			}
		}
		return nil
	})
	return d, c.note(err)
}

// since lists the rows that were written or removed after a change, and sets the
// rest but for the documents. All is reset when some changes are no longer listed,
// or when the number was never given out.
func (d *delta) since(ctx context.Context, from querier, after int64) (documents []int64, err error) {
	last, err := lastChange(ctx, from)
	if d.last = after; err != nil || last == after {
		return nil, err
	}
	rows, err := from.QueryContext(ctx, "SELECT number, document FROM changes WHERE number > ? ORDER BY number LIMIT ?", after, pageRows)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var n, document int64
		if err := rows.Scan(&n, &document); err != nil {
			return nil, err
		}
		if d.last++; n != d.last {
			d.reset = true
			return nil, nil
		}
		documents = append(documents, document)
	}
	d.reset = len(documents) == 0
	d.more = d.last < last
	return documents, rows.Err()
}

// lastChange is the number of the last change.
func (c *catalogue) lastChange(ctx context.Context) (int64, error) {
	number, err := lastChange(ctx, c.read)
	return number, c.note(err)
}

// lastChange is the number of the last change ever noted, 0 when there was none.
func lastChange(ctx context.Context, from querier) (number int64, err error) {
	err = from.QueryRowContext(ctx, "SELECT seq FROM sqlite_sequence WHERE name = 'changes'").Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return number, err
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
