package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Snapshot is a database as it is at one moment, for a question: what is committed
// meanwhile is not seen.
type Snapshot struct {
	Tx        pgx.Tx
	OfReplica bool
}

// WithSnapshot calls f with a moment, and again where the connection breaks, or where a replica
// does not have all that this process knows of.
func (d *DB) WithSnapshot(ctx context.Context, f func(context.Context, *Snapshot) error) error {
	if answered, err := d.AskReplica(ctx, f); answered {
		return err
	}
	ask := func() error {
		return d.RetryRead(ctx, ReadLimit, func(ctx context.Context) error { return d.WithSnapshotOnce(ctx, QuickLimit, ReadLimit, f) })
	}
	err := ask()
	if isPgvectorMoved(err) && d.extension.Swap(nil) != nil {
		err = ask()
	}
	return Classify(err)
}

// WithSnapshotOnce calls f with a consistent snapshot of the database, whatever is committed
// meanwhile. If this process is stopped in the middle of one, the database ends it, so that rows
// no longer needed can be removed, and likewise if it takes longer than the limit. To begin it
// may take as long as within says.
func (p Server) WithSnapshotOnce(ctx context.Context, within, limit time.Duration, f func(context.Context, *Snapshot) error) error {
	tx, err := p.BeginTx(ctx, within, WithLimits("begin isolation level repeatable read read only", limit, QuickLimit, UsualPatience))
	if err != nil {
		return err
	}
	return p.InTx(ctx, tx, func(ctx context.Context) error { return f(ctx, &Snapshot{Tx: tx}) })
}
