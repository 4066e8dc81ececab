package db

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// WithTimeouts extends a statement that begins a transaction with time limits: for each following
// statement, for waiting for locks, and for idling between statements.
func WithTimeouts(begin string, statement, lock, idle time.Duration) string {
	return fmt.Sprintf("%s; set local statement_timeout = %d; set local lock_timeout = %d; set local idle_in_transaction_session_timeout = %d",
		begin, statement.Milliseconds(), lock.Milliseconds(), idle.Milliseconds())
}

// IdleInTransactionTimeout is how long a process may be idle in a transaction before it counts as dead.
const IdleInTransactionTimeout = 4 * time.Second

// BeginWriteStatement returns the statement that begins a transaction that writes. If this process stalls in
// the middle of one, the database ends it, so that others can proceed.
func (d *DB) BeginWriteStatement() string {
	return WithTimeouts("begin", WriteTimeout, d.RetryTimeout, IdleInTransactionTimeout)
}

// BeginTx begins a transaction by the given statement. It fails if that takes longer than the
// timeout.
func (p Server) BeginTx(ctx context.Context, timeout time.Duration, statement string) (pgx.Tx, error) {
	quick, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return p.Pool.BeginTx(quick, pgx.TxOptions{BeginQuery: statement})
}

// InTx calls f in a transaction, and rolls it back afterwards unless f committed it. The connection
// is watched during the rollback too, because the network may drop it just before.
func (p Server) InTx(ctx context.Context, tx pgx.Tx, f func(context.Context) error) error {
	return p.whileConnected(ctx, tx.Conn(), func(ctx context.Context) error {
		defer func() { _ = tx.Rollback(ctx) }()
		return f(ctx)
	})
}
