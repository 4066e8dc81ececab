package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"vademecum/index/catalog"
)

// A process that wants something from the holder of a duty leaves a request in the catalogue, and
// finds the answer there.

// SubmitRequest saves a request, and returns its number.
func (c *Catalog) SubmitRequest(ctx context.Context, request string) (number int64, err error) {
	err = c.transact(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "INSERT INTO requests (request, answer) VALUES (?, '')", request)
		if err == nil {
			number, err = done.LastInsertId()
		}
		return err
	})
	return number, err
}

// PendingRequests returns the requests without an answer, by number.
func (c *Catalog) PendingRequests(ctx context.Context) (map[int64]string, error) {
	rows, err := c.read.QueryContext(ctx, "SELECT number, request FROM requests WHERE answer = ''")
	if err != nil {
		return nil, c.RecordError(err)
	}
	defer rows.Close()
	all := make(map[int64]string)
	for rows.Next() {
		var number int64
		var request string
		if err := rows.Scan(&number, &request); err != nil {
			return nil, c.RecordError(err)
		}
		all[number] = request
	}
	return all, c.RecordError(rows.Err())
}

// keepRequests is how many answered requests are kept for the processes that made them.
const keepRequests = 100

// AnswerRequest answers a request.
func (c *Catalog) AnswerRequest(ctx context.Context, number int64, answer string) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE requests SET answer = ? WHERE number = ?", answer, number); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "DELETE FROM requests WHERE answer != '' AND number < ?", number-keepRequests)
		return err
	})
}

// ReadAnswer returns the answer to a request; "" if there is none yet. It does not block.
func (c *Catalog) ReadAnswer(ctx context.Context, number int64) (answer string, err error) {
	err = c.read.QueryRowContext(ctx, "SELECT answer FROM requests WHERE number = ?", number).Scan(&answer)
	if errors.Is(err, sql.ErrNoRows) {
		return "", catalog.ErrRequestNotFound
	}
	return answer, c.RecordError(err)
}

// UpdateRequest replaces the text of a request; asked is false if it has been withdrawn or answered in the
// meantime.
func (c *Catalog) UpdateRequest(ctx context.Context, number int64, request string) (asked bool, err error) {
	err = c.transact(ctx, func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, "UPDATE requests SET request = ? WHERE number = ? AND answer = ''", request, number)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		asked = n > 0
		return err
	})
	return asked, err
}

// CancelRequest deletes a request.
func (c *Catalog) CancelRequest(ctx context.Context, number int64) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM requests WHERE number = ?", number)
		return err
	})
}
