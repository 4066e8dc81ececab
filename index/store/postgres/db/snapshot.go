package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Snapshot is a consistent view of a database for a query: later commits are not visible in it.
type Snapshot struct {
	Tx            pgx.Tx
	IsFromReplica bool
}

// WithSnapshot calls f with a snapshot of the replica, if that is usable, or else of the database.
// It calls f again if the connection breaks, or if the replica lacks changes that this process has
// seen.
func (d *DB) WithSnapshot(ctx context.Context, f func(context.Context, *Snapshot) error) error {
	if answered, err := d.QueryReplica(ctx, f); answered {
		return err
	}
	ask := func() error {
		return d.RetryRead(ctx, ReadTimeout, func(ctx context.Context) error { return d.WithSnapshotOnce(ctx, QuickTimeout, ReadTimeout, f) })
	}
	err := ask()
	if isPgvectorMoved(err) && d.extension.Swap(nil) != nil {
		err = ask()
	}
	return ClassifyError(err)
}

// WithSnapshotOnce calls f with a consistent snapshot of the database, regardless of concurrent
// commits. If this process stalls in the middle, or takes longer than the timeout, the database
// ends the transaction, so that rows no longer needed can be removed. Beginning the transaction may
// take up to beginTimeout.
func (p Server) WithSnapshotOnce(ctx context.Context, beginTimeout, timeout time.Duration, f func(context.Context, *Snapshot) error) error {
	tx, err := p.BeginTx(ctx, beginTimeout, WithTimeouts("begin isolation level repeatable read read only", timeout, QuickTimeout, DefaultRetryTimeout))
	if err != nil {
		return err
	}
	return p.InTx(ctx, tx, func(ctx context.Context) error { return f(ctx, &Snapshot{Tx: tx}) })
}
