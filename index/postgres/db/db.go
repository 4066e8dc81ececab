// Package db is a PostgreSQL database as a process asks it: what its address may be,
// connections that are given up when the network has forgotten them, what is tried again
// and for how long, replicas, commits that are told, and errors that say what is to be
// done about them. All works through a pooler in transaction mode: nothing is left in a
// session but on the connection that hears of commits, which does without behind one. No
// error has a password in it.
package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"vademecum/internal/base/message"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// DB is a database, as a process has it open.
type DB struct {
	Server
	Patience time.Duration
	commits  listener
	away     outage
	writes   writeState
	latency  statementTimes
	replica  *replica // nil: there is none, or it is not to be asked

	extension atomic.Pointer[string] // see comparing
	known     atomic.Pointer[string] // the identity of the database, once it was asked for
}

// Server is a server, or several of which one is meant, and the connections to it.
type Server struct {
	Address Address
	Pool    *pgxpool.Pool
}

// UsualPatience is how long it takes to put another server in the place of one.
const UsualPatience = 15 * time.Second

// Open has a database be connected to when something is asked of it. Patience is how long
// one that does not answer, or a lock that another holds, is waited for; 0: as long as
// usual.
func Open(ctx context.Context, at Address, patience time.Duration) (*DB, error) {
	if at.Config == nil {
		return nil, ErrAddress
	}
	pool, err := pgxpool.NewWithConfig(ctx, at.Config.Copy())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", at, err)
	}
	return &DB{Server: Server{Address: at, Pool: pool}, Patience: cmp.Or(patience, UsualPatience)}, nil
}

// Close closes the connections. Catalogues and duties are closed before.
func (d *DB) Close() error {
	d.commits.close()
	if d.replica != nil {
		d.replica.Pool.Close()
	}
	d.Pool.Close()
	return nil
}

// Connect makes a connection beside the pool, for what keeps one to itself.
func (d *DB) Connect(ctx context.Context) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, ReadLimit) // there may be several hosts
	defer cancel()
	return d.Address.Connect(ctx)
}

// QuickLimit is how long it may take to connect, to read a row or to begin; readLimit
// how long to read many, and writeLimit a transaction that writes.
const (
	QuickLimit = 5 * time.Second
	ReadLimit  = 30 * time.Second
	WriteLimit = time.Minute
)

// readPatience is how long who only reads waits for a database that is away: somebody
// has asked a question.
const readPatience = 5 * time.Second

// ReadPatience is how long a reader waits for this database.
func (d *DB) ReadPatience() time.Duration { return min(d.Patience, readPatience) }

// RetryRead does something that changes nothing, as retry does.
func (d *DB) RetryRead(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	return d.Retry(ctx, d.ReadPatience(), limit, f)
}

// Retry does something that may be done twice, again and again while there is hope,
// as long as patience says, and twice in any case. Each time it may take as long as the
// limit.
func (d *DB) Retry(ctx context.Context, patience, limit time.Duration, f func(context.Context) error) error {
	const first, longest = 20 * time.Millisecond, time.Second
	deadline, why := d.away.retryUntil(patience)
	if why != nil {
		return why
	}
	for wait := first; ; wait = min(2*wait, longest) {
		limited, cancel := context.WithTimeout(ctx, limit)
		err := f(limited)
		cancel()
		d.away.note(ctx, err)
		if CodeOf(err) == codeReadOnly {
			deadline = d.writes.deadline(patience, deadline)
			d.closeOldConnections()
		}
		if !isTransient(err) || ctx.Err() != nil || wait > first && time.Now().Add(wait).After(deadline) {
			return err
		}
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errForgotten) {
			d.Pool.Reset() // the network has forgotten the connections
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(wait):
		}
	}
}

// ReadLong does something that reads for long. That it takes longer than the limit says
// nothing about whether the database is there.
func (d *DB) ReadLong(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := d.Retry(limited, d.Patience, 2*limit, f)
	if err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		return message.Errorf("it took longer than %s", limit)
	}
	return err
}
