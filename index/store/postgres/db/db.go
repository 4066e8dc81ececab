// Package db connects a process to a PostgreSQL database: it defines valid addresses, connections
// that are given up when the network has dropped them, what is retried and for how long, replicas,
// notifications of commits, and errors that say what to do about them. Everything works through a
// pooler in transaction mode: no session keeps state, except the connection that listens for
// commits, which is not used with a pooler. No error contains a password.
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

// DB is a database, opened by a process.
type DB struct {
	Server
	RetryTimeout time.Duration
	commits      listener
	away         outage
	writes       writeState
	latency      statementTimes
	replica      *replica // nil if there is none, or if it is not to be used

	extension atomic.Pointer[string] // cached result of PgvectorSchema
	known     atomic.Pointer[string] // identity of the database, once queried
}

// Server is a database server, or several of which one is used, and the connections to it.
type Server struct {
	Address Address
	Pool    *pgxpool.Pool
}

// DefaultRetryTimeout is how long a failover to another server takes.
const DefaultRetryTimeout = 15 * time.Second

// Open returns a database that connects on first use. retryTimeout is how long to wait for a server
// that does not answer, or for a lock held by another process; 0 means DefaultRetryTimeout.
func Open(ctx context.Context, address Address, retryTimeout time.Duration) (*DB, error) {
	if address.Config == nil {
		return nil, errInvalidAddress
	}
	pool, err := pgxpool.NewWithConfig(ctx, address.Config.Copy())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", address, err)
	}
	return &DB{Server: Server{Address: address, Pool: pool}, RetryTimeout: cmp.Or(retryTimeout, DefaultRetryTimeout)}, nil
}

// Close closes the connections. Catalogues must be closed, and leases released, before.
func (d *DB) Close() error {
	d.commits.close()
	if d.replica != nil {
		d.replica.Pool.Close()
	}
	d.Pool.Close()
	return nil
}

// Connect opens a connection outside the pool, for exclusive use.
func (d *DB) Connect(ctx context.Context) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, ReadTimeout) // the address may list several hosts
	defer cancel()
	return d.Address.Connect(ctx)
}

// QuickTimeout is the time limit for connecting, for reading a row, and for beginning a transaction;
// ReadTimeout is that for reading many rows, and WriteTimeout that for a transaction that writes.
const (
	QuickTimeout = 5 * time.Second
	ReadTimeout  = 30 * time.Second
	WriteTimeout = time.Minute
)

// readPatience is how long reads wait for an unreachable database, while a user waits for an
// answer.
const readPatience = 5 * time.Second

// ReadRetryTimeout returns how long a reader waits for the database to answer.
func (d *DB) ReadRetryTimeout() time.Duration { return min(d.RetryTimeout, readPatience) }

// RetryRead calls f, which only reads, until it succeeds or fails for good, for at most
// ReadRetryTimeout, but at least twice. Each call may take up to attemptTimeout.
func (d *DB) RetryRead(ctx context.Context, attemptTimeout time.Duration, f func(context.Context) error) error {
	return d.Retry(ctx, d.ReadRetryTimeout(), attemptTimeout, f)
}

// Retry calls f, which must be safe to repeat, until it succeeds or fails for good, for at most
// retryTimeout, but at least twice. Each call may take up to attemptTimeout.
func (d *DB) Retry(ctx context.Context, retryTimeout, attemptTimeout time.Duration, f func(context.Context) error) error {
	const first, longest = 20 * time.Millisecond, time.Second
	deadline, why := d.away.retryUntil(retryTimeout)
	if why != nil {
		return why
	}
	for wait := first; ; wait = min(2*wait, longest) {
		limited, cancel := context.WithTimeout(ctx, attemptTimeout)
		err := f(limited)
		cancel()
		d.away.note(ctx, err)
		if CodeOf(err) == codeReadOnly {
			deadline = d.writes.deadline(retryTimeout, deadline)
			d.closeOldConnections()
		}
		if !isTransient(err) || ctx.Err() != nil || wait > first && time.Now().Add(wait).After(deadline) {
			return err
		}
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errForgotten) {
			d.Pool.Reset() // the network has dropped the connections
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(wait):
		}
	}
}

// RunLongRead calls f, which reads for a long time, up to the timeout. Exceeding that does not mean
// that the database is unreachable.
func (d *DB) RunLongRead(ctx context.Context, timeout time.Duration, f func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	err := d.Retry(limited, d.RetryTimeout, 2*timeout, f)
	if err != nil && ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
		return message.Errorf("it took longer than %s", timeout)
	}
	return err
}
