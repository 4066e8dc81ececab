package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vademecum/index/catalog"
	"vademecum/index/postgres/db"
)

// A process that wants something of the one that has a duty leaves a request in the
// catalogue, and finds the answer there.

// Ask saves a request and returns its number.
func (c *Catalog) Ask(ctx context.Context, request string) (number int64, err error) {
	_, err = c.transact(ctx, func(ctx context.Context, tx *change) error {
		return tx.QueryRow(ctx, "INSERT INTO vademecum.requests (library, request) VALUES ($1, $2) RETURNING number", c.library, db.Escape(request)).Scan(&number)
	})
	return number, err
}

// Unanswered lists the requests that have no answer yet, by their numbers.
func (c *Catalog) Unanswered(ctx context.Context) (all map[int64]string, err error) {
	var number int64
	var request string
	err = c.rows(ctx, "SELECT number, request FROM vademecum.requests WHERE library = $1 AND answer = ''",
		[]any{c.library}, func() { all = make(map[int64]string) }, func() error {
			all[number] = db.Unescape(request)
			return nil
		}, &number, &request)
	return all, err
}

// keepRequests is how many answered requests stay for those who asked.
const keepRequests = 100

// Reply answers a request.
func (c *Catalog) Reply(ctx context.Context, number int64, answer string) error {
	_, err := c.transact(ctx, func(ctx context.Context, tx *change) error {
		var b pgx.Batch
		b.Queue("UPDATE vademecum.requests SET answer = $3 WHERE library = $1 AND number = $2", c.library, number, db.Escape(answer))
		b.Queue(`DELETE FROM vademecum.requests WHERE library = $1 AND answer != '' AND number <= (
			SELECT number FROM vademecum.requests WHERE library = $1 AND answer != '' ORDER BY number DESC OFFSET $2 LIMIT 1)`, c.library, keepRequests)
		return tx.SendBatch(ctx, &b).Close()
	})
	return err
}

// Answered reads the answer to a request, "" while there is none.
func (c *Catalog) Answered(ctx context.Context, number int64) (answer string, err error) {
	err = c.row(ctx, "SELECT answer FROM vademecum.requests WHERE library = $1 AND number = $2", []any{c.library, number}, &answer)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", catalog.ErrLostRequest
	}
	return db.Unescape(answer), err
}

// Amend saves a request anew; asked is false when it has been taken back or
// answered meanwhile.
func (c *Catalog) Amend(ctx context.Context, number int64, request string) (asked bool, err error) {
	_, err = c.transact(ctx, func(ctx context.Context, tx *change) error {
		done, err := tx.Exec(ctx, "UPDATE vademecum.requests SET request = $3 WHERE library = $1 AND number = $2 AND answer = ''", c.library, number, db.Escape(request))
		asked = done.RowsAffected() > 0
		return err
	})
	return asked, err
}

// Withdraw takes a request back.
func (c *Catalog) Withdraw(ctx context.Context, number int64) error {
	return c.write(ctx, "DELETE FROM vademecum.requests WHERE library = $1 AND number = $2", c.library, number)
}
