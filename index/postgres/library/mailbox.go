package library

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vademecum/index/catalog"
	"vademecum/index/postgres/db"
)

// A process that wants something from the holder of a duty leaves a request in the catalogue, and
// finds the answer there.

// SubmitRequest saves a request, and returns its number.
func (m mailbox) SubmitRequest(ctx context.Context, request string) (number int64, err error) {
	_, err = m.Transact(ctx, func(ctx context.Context, tx *WriteTx) error {
		return tx.QueryRow(ctx, "INSERT INTO vademecum.requests (library, request) VALUES ($1, $2) RETURNING number", m.ID, db.Escape(request)).Scan(&number)
	})
	return number, err
}

// PendingRequests lists the requests without an answer, by number.
func (m mailbox) PendingRequests(ctx context.Context) (all map[int64]string, err error) {
	var number int64
	var request string
	err = m.QueryRows(ctx, "SELECT number, request FROM vademecum.requests WHERE library = $1 AND answer = ''",
		[]any{m.ID}, func() { all = make(map[int64]string) }, func() error {
			all[number] = db.Unescape(request)
			return nil
		}, &number, &request)
	return all, err
}

// keepRequests is how many answered requests are kept for the processes that made them.
const keepRequests = 100

// AnswerRequest answers a request.
func (m mailbox) AnswerRequest(ctx context.Context, number int64, answer string) error {
	_, err := m.Transact(ctx, func(ctx context.Context, tx *WriteTx) error {
		var b pgx.Batch
		b.Queue("UPDATE vademecum.requests SET answer = $3 WHERE library = $1 AND number = $2", m.ID, number, db.Escape(answer))
		b.Queue(`DELETE FROM vademecum.requests WHERE library = $1 AND answer != '' AND number <= (
			SELECT number FROM vademecum.requests WHERE library = $1 AND answer != '' ORDER BY number DESC OFFSET $2 LIMIT 1)`, m.ID, keepRequests)
		return tx.SendBatch(ctx, &b).Close()
	})
	return err
}

// ReadAnswer returns the answer to a request; "" if there is none yet.
func (m mailbox) ReadAnswer(ctx context.Context, number int64) (answer string, err error) {
	err = m.QueryRow(ctx, "SELECT answer FROM vademecum.requests WHERE library = $1 AND number = $2", []any{m.ID, number}, &answer)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", catalog.ErrRequestNotFound
	}
	return db.Unescape(answer), err
}

// UpdateRequest replaces a request; asked is false if it has been withdrawn or answered in the meantime.
func (m mailbox) UpdateRequest(ctx context.Context, number int64, request string) (asked bool, err error) {
	_, err = m.Transact(ctx, func(ctx context.Context, tx *WriteTx) error {
		done, err := tx.Exec(ctx, "UPDATE vademecum.requests SET request = $3 WHERE library = $1 AND number = $2 AND answer = ''", m.ID, number, db.Escape(request))
		asked = done.RowsAffected() > 0
		return err
	})
	return asked, err
}

// CancelRequest deletes a request.
func (m mailbox) CancelRequest(ctx context.Context, number int64) error {
	return m.Exec(ctx, "DELETE FROM vademecum.requests WHERE library = $1 AND number = $2", m.ID, number)
}

// mailbox holds the messages that the processes on a library leave for each other.
type mailbox struct{ *Library }

// Mailbox returns the mailbox of the processes on the library.
func (l *Library) Mailbox() catalog.Mailbox { return mailbox{l} }
