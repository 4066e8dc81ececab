package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Moment is a database as it is at one moment, for a question: what is committed
// meanwhile is not seen.
type Moment struct {
	tx        pgx.Tx
	ofReplica bool
}

// At calls f with a moment, and again where the connection breaks, or where a replica
// does not have all that this process knows of.
func (d *DB) At(ctx context.Context, f func(context.Context, *Moment) error) error {
	if answered, err := d.askReplica(ctx, f); answered {
		return err
	}
	ask := func() error {
		return d.read(ctx, readLimit, func(ctx context.Context) error { return d.moment(ctx, quickLimit, readLimit, f) })
	}
	err := ask()
	if isMoved(err) && d.extension.Swap(nil) != nil {
		err = ask()
	}
	return mark(err)
}

// moment calls f with the database as it is at one moment, whatever is committed
// meanwhile. Where this process is stopped in the middle of one the database ends it,
// so that rows which nobody needs any more can go, and so it does with what takes
// longer than the limit. To begin it may take as long as within says.
func (p place) moment(ctx context.Context, within, limit time.Duration, f func(context.Context, *Moment) error) error {
	tx, err := p.beginTx(ctx, within, limits("begin isolation level repeatable read read only", limit, quickLimit, usualPatience))
	if err != nil {
		return err
	}
	return p.undone(ctx, tx, func(ctx context.Context) error { return f(ctx, &Moment{tx: tx}) })
}
