package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// WithLimits has a statement that begins a transaction say how long the server may take for
// each that follows, how long these may wait for locks, and how long for the next.
func WithLimits(begin string, statement, lock, idle time.Duration) string {
	return fmt.Sprintf("%s; set local statement_timeout = %d; set local lock_timeout = %d; set local idle_in_transaction_session_timeout = %d",
		begin, statement.Milliseconds(), lock.Milliseconds(), idle.Milliseconds())
}

// SilentAfter is for how long a process may give no sign of life in a transaction.
const SilentAfter = 4 * time.Second

// BeginWrite is the statement that begins such a transaction. If this process is stopped in the
// middle of one, the database ends it, so that others can proceed.
func (d *DB) BeginWrite() string {
	return WithLimits("begin", WriteLimit, d.Patience, SilentAfter)
}

// BeginTx begins a transaction within a time, or fails.
func (p Server) BeginTx(ctx context.Context, within time.Duration, by string) (pgx.Tx, error) {
	quick, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return p.Pool.BeginTx(quick, pgx.TxOptions{BeginQuery: by})
}

// InTx calls f in a transaction, which is undone after that unless it was committed.
// The end is watched too: the network may forget a connection just before.
func (p Server) InTx(ctx context.Context, tx pgx.Tx, f func(context.Context) error) error {
	return p.whileConnected(ctx, tx.Conn(), func(ctx context.Context) error {
		defer func() { _ = tx.Rollback(ctx) }()
		return f(ctx)
	})
}
