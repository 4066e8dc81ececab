// Package postgres keeps the catalogues of libraries in a PostgreSQL database, which
// any number of processes on any number of machines share. A library is what a
// folder is to SQLite: its documents, vectors and messages, apart from those of
// others. All works through a pooler in transaction mode: nothing is left in a
// session but on the connection that hears of commits, which does without behind
// one. No error has a password in it.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Store is a database with libraries, as a process has it open.
type Store struct {
	place
	patience time.Duration
	news     *news
	away     outage
	writes   writes
	pulse    pulse
	replica  *replica // nil: there is none, or it is not to be asked
	asks     bool     // see KeepModels

	extension atomic.Pointer[string] // see comparing
	known     atomic.Pointer[string] // the identity of the database, once it was asked for
}

// place is a server, or several of which one is meant, and the connections to it.
type place struct {
	address Address
	pool    *pgxpool.Pool
}

// usualPatience is how long it takes to put another server in the place of one.
const usualPatience = 15 * time.Second

// firstPatience is how long one is waited for that has not answered yet: the address
// may be wrong.
const firstPatience = 3 * time.Second

// Open opens a database that Migrate has made ready. Patience is how long a database
// that does not answer, or a lock that another holds, is waited for; 0: as long as
// usual.
func Open(ctx context.Context, at Address, patience time.Duration) (*Store, error) {
	if at.config == nil {
		return nil, ErrAddress
	}
	pool, err := pgxpool.NewWithConfig(ctx, at.config.Copy())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", at, err)
	}
	s := &Store{place: place{address: at, pool: pool}, patience: firstPatience}
	if err := s.CheckTables(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	s.patience = cmp.Or(patience, usualPatience)
	s.news = hear(s.connect)
	return s, nil
}

// KeepModels has libraries stay those of the model that they are indexed with, also
// when they are opened for another: who only asks does not decide about it.
func (s *Store) KeepModels() { s.asks = true }

// Close closes the connections. Catalogues and duties are closed before.
func (s *Store) Close() error {
	s.news.close()
	if s.replica != nil {
		s.replica.pool.Close()
	}
	s.pool.Close()
	return nil
}

// connect makes a connection beside the pool, for what keeps one to itself.
func (s *Store) connect(ctx context.Context) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit) // there may be several hosts
	defer cancel()
	return pgx.ConnectConfig(ctx, s.address.config.ConnConfig.Copy())
}

// CheckTables fails when the tables are not those of this program, or not all of a backup is
// restored yet.
func (s *Store) CheckTables(ctx context.Context) error {
	s.extension.Store(nil) // it may be another, too
	err := s.read(ctx, quickLimit, func(ctx context.Context) error {
		have, oldest, err := schemaVersion(ctx, s.pool)
		if err == nil {
			err = fits(have, oldest)
		}
		if err != nil {
			return err
		}
		return isRestored(ctx, s.pool)
	})
	if err != nil {
		return fmt.Errorf("open %s: %w", s.address, mark(err))
	}
	return nil
}

// keyed are the tables of which a server reads or writes rows.
var keyed = []string{"libraries", "documents", "texts", "chunks", "changes", "models", "vectors", "refusals", "settings", "requests", "duties",
	"passages", "segments", "postings", "gone", "vocabulary"}

// isRestored fails while a backup is being restored: keys are made when all rows of their
// tables are there. Who looked sooner would miss rows, and who wrote would have the
// restoring fail. Tables are all made before that: where one is missing it was dropped.
func isRestored(ctx context.Context, from queryer) error {
	var keyless bool
	var missing []string
	err := from.QueryRow(ctx, `SELECT coalesce(bool_or(c.oid IS NOT NULL AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)), false),
			coalesce(array_agg(wanted.name) FILTER (WHERE c.oid IS NULL), '{}')
		FROM unnest($1::text[]) AS wanted(name) LEFT JOIN pg_class c ON c.relname = wanted.name AND c.relnamespace = 'vademecum'::regnamespace`, keyed).Scan(&keyless, &missing)
	switch {
	case err != nil:
		return err
	case keyless:
		return errRestoring
	case len(missing) > 0:
		return errLacking(missing)
	}
	return nil
}

// fits tells whether this program may work with tables of a version.
func fits(have, oldest int) error {
	switch {
	case oldest > schemaLatest:
		return ErrAhead
	case have == 0:
		return errNoTables
	case have < schemaLatest:
		return ErrBehind
	}
	return nil
}

// quickLimit is how long it may take to connect, to read a row or to begin; readLimit
// how long to read many, and writeLimit a transaction that writes.
const (
	quickLimit = 5 * time.Second
	readLimit  = 30 * time.Second
	writeLimit = time.Minute
)

// readPatience is how long who only reads waits for a database that is away: somebody
// has asked a question.
const readPatience = 5 * time.Second

// read does something that changes nothing, as retry does.
func (s *Store) read(ctx context.Context, limit time.Duration, f func(context.Context) error) error {
	return s.retry(ctx, min(s.patience, readPatience), limit, f)
}

// retry does something that may be done twice, again and again while there is hope,
// as long as patience says, and twice in any case. Each time it may take as long as the
// limit.
func (s *Store) retry(ctx context.Context, patience, limit time.Duration, f func(context.Context) error) error {
	const first, longest = 20 * time.Millisecond, time.Second
	deadline, why := s.away.hope(patience)
	if why != nil {
		return why
	}
	for wait := first; ; wait = min(2*wait, longest) {
		limited, cancel := context.WithTimeout(ctx, limit)
		err := f(limited)
		cancel()
		s.away.note(ctx, err)
		if codeOf(err) == codeReadOnly {
			deadline = s.writes.deadline(patience, deadline)
			s.leaveOld()
		}
		if !isPassing(err) || ctx.Err() != nil || wait > first && time.Now().Add(wait).After(deadline) {
			return err
		}
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errForgotten) {
			s.pool.Reset() // the network has forgotten the connections
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		case <-time.After(wait):
		}
	}
}
