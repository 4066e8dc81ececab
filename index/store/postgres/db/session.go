package db

import (
	"context"

	"vademecum/internal/base/message"

	"github.com/jackc/pgx/v5"
)

// Querier can run queries: a connection, a pool, or a transaction.
type Querier interface {
	Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error)
}

// ErrBehindPooler means that a pooler is in between, which gives each transaction another session:
// changing tables and indexes needs a session that keeps a lock, and has no time limits.
var ErrBehindPooler = message.Errorf("there is a connection pooler in between: give the address of the server itself")

// RowQuerier can query a row: a connection, a pool, or a transaction.
type RowQuerier interface {
	QueryRow(ctx context.Context, statement string, args ...any) pgx.Row
}

// IsDirectConnection reports whether the other end is the server itself: a pooler gives connections PIDs of
// its own.
func IsDirectConnection(ctx context.Context, conn *pgx.Conn) (bool, error) {
	var pid uint32
	err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid)
	return pid == conn.PgConn().PID(), err
}

// ClearTimeouts removes the time limits that a hosting service sets for its roles, which work on whole
// tables exceeds. With a pooler, the change would remain in a session that others get.
func ClearTimeouts(ctx context.Context, conn *pgx.Conn) error {
	isDirect, err := IsDirectConnection(ctx, conn)
	if err != nil {
		return err
	}
	if !isDirect {
		return ErrBehindPooler
	}
	_, err = conn.Exec(ctx, "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout')")
	return err
}
