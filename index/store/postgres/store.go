// Package postgres stores the catalogues of libraries in a PostgreSQL database, which any number of
// processes on any number of machines share. A library corresponds to a folder in SQLite: its
// documents, vectors and messages, separate from those of others. Everything works through a pooler
// in transaction mode: no session keeps state, except the connection that listens for commits,
// which is not used with a pooler. No error contains a password.
package postgres

import (
	"context"
	"time"

	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
)

// Store is a database with libraries, opened by a process.
type Store struct {
	*db.DB
	keepsModels bool // whether libraries stay with the model they were indexed with, see KeepLibraryModels
}

// Open opens a database that schema.Migrate has prepared. retryTimeout is as in db.Open.
func Open(ctx context.Context, address db.Address, retryTimeout time.Duration) (*Store, error) {
	d, err := schema.Open(ctx, address, retryTimeout)
	if err != nil {
		return nil, err
	}
	return &Store{DB: d}, nil
}

// KeepLibraryModels keeps libraries on the model that they were indexed with, even if they are opened for
// another: a process that only searches does not decide that.
func (s *Store) KeepLibraryModels() { s.keepsModels = true }
