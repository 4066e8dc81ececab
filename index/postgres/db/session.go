package db

import (
	"context"

	"vademecum/internal/base/message"

	"github.com/jackc/pgx/v5"
)

// Querier is a connection, a pool of them, or a transaction.
type Querier interface {
	Query(ctx context.Context, statement string, args ...any) (pgx.Rows, error)
}

// ErrPooler means that a pooler is in between, which gives each transaction another session:
// changing tables and indexes needs a session that holds a lock, without its time limits.
var ErrPooler = message.Errorf("a pooler is in between: give the address of the server itself")

// RowQuerier is a connection, a pool of them, or a transaction.
type RowQuerier interface {
	QueryRow(ctx context.Context, statement string, args ...any) pgx.Row
}

// IsDirect reports whether the server itself is at the other end: a pooler gives its
// connections numbers of its own.
func IsDirect(ctx context.Context, conn *pgx.Conn) (bool, error) {
	var pid uint32
	err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid)
	return pid == conn.PgConn().PID(), err
}

// LiftLimits lifts the limits of time that a service gives its roles, which the work on
// whole tables is over. Through a pooler that would stay in a session that others get.
func LiftLimits(ctx context.Context, conn *pgx.Conn) error {
	isDirect, err := IsDirect(ctx, conn)
	if err != nil {
		return err
	}
	if !isDirect {
		return ErrPooler
	}
	_, err = conn.Exec(ctx, "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout')")
	return err
}
