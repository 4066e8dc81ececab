// Package postgres keeps the catalogues of libraries in a PostgreSQL database, which
// any number of processes on any number of machines share. A library is what a
// folder is to SQLite: its documents, vectors and messages, apart from those of
// others. All works through a pooler in transaction mode: nothing is left in a
// session but on the connection that hears of commits, which does without behind
// one. No error has a password in it.
package postgres

import (
	"context"
	"time"

	"vademecum/index/postgres/db"
	"vademecum/index/postgres/schema"
)

// Store is a database with libraries, opened by a process.
type Store struct {
	*db.DB
	asks bool // see KeepModels
}

// Open opens a database that schema.Migrate has made ready. Patience is that of DB.
func Open(ctx context.Context, at db.Address, patience time.Duration) (*Store, error) {
	d, err := schema.Open(ctx, at, patience)
	if err != nil {
		return nil, err
	}
	return &Store{DB: d}, nil
}

// KeepModels keeps libraries with the model that they are indexed with, even when they are opened
// for another: a process that only searches does not decide about it.
func (s *Store) KeepModels() { s.asks = true }
