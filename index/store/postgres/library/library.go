// Package library accesses one library in a PostgreSQL database: the transactions that write to it,
// one at a time and each signalled to waiters, its version, its model and its values.
package library

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"vademecum/embed"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/internal/base/message"
)

// Library is an open library: the index of a folder that is stored in a database under a name, and may be
// shared by processes.
type Library struct {
	DB   *db.DB
	Name string
	ID   int64 // row of the library in the format of this program
	// identifies the database and its table of libraries; differs after a backup was restored
	TableIdentity    int64
	ModelID          int64 // row of the embedding model in use
	ModelName        string
	own              ownVersions
	known            atomic.Int64 // latest version of the library that this process has seen
	requiresPgvector bool         // whether the database has to compare vectors, see RequirePgvector

	PreviousModel string // model that the library was indexed with, if it is not ModelName
	KeptModel     string // equal to PreviousModel if the library stays indexed with that model, see Open
}

// longestName is the maximum length of names in bytes: an index does not accept much more.
const longestName = 500

// Open opens or creates a library for the named embedding model. If model is "", the library keeps
// the model used last. If keepModel is set, the library stays with the model that it was indexed
// with: a process that only searches does not decide that.
func Open(ctx context.Context, d *db.DB, name, model string, keepModel bool) (*Library, error) {
	for _, one := range []string{name, model} {
		if len(one) > longestName || !utf8.ValidString(one) {
			return nil, message.Errorf("the name of a library or model may have at most %d bytes of UTF-8", longestName)
		}
	}
	l := &Library{DB: d, Name: name}
	err := d.RetryRead(ctx, db.QuickTimeout, func(ctx context.Context) error {
		return findOrInsert(ctx, d, "SELECT id, "+tableIdentity+" FROM vademecum.libraries WHERE name = $1 AND format = $2",
			"INSERT INTO vademecum.libraries (name, format) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id, "+tableIdentity,
			[]any{db.EscapeNUL(name), catalog.FormatVersion}, &l.ID, &l.TableIdentity)
	})
	if err == nil {
		err = l.recordModelInUse(ctx, model, keepModel)
	}
	if err != nil {
		return nil, fmt.Errorf("open library %q in %s: %w", name, d.Address, db.ClassifyError(err))
	}
	return l, nil
}

// OpenReadOnly opens a library for the model used last, without changing anything. It returns nil
// if there is none.
func OpenReadOnly(ctx context.Context, d *db.DB, name string) (*Library, error) {
	l := &Library{DB: d, Name: name}
	err := d.RetryRead(ctx, db.QuickTimeout, func(ctx context.Context) error {
		return d.QueryRow(ctx, `SELECT libraries.id, `+tableIdentity+`, m.id, m.name FROM vademecum.libraries
			JOIN vademecum.settings s ON s.library = libraries.id AND s.key = 'model'
			JOIN vademecum.models m ON m.library = libraries.name AND m.name = s.value
			WHERE libraries.name = $1 AND format = $2`, []any{db.EscapeNUL(name), catalog.FormatVersion}, &l.ID, &l.TableIdentity, &l.ModelID, &l.ModelName)
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("open library %q in %s: %w", name, d.Address, db.ClassifyError(err))
	}
	l.ModelName = db.UnescapeNUL(l.ModelName)
	return l, nil
}

// Size returns the approximate number of bytes that the library takes in the database, without
// indexes.
func (l *Library) Size(ctx context.Context) (bytes int64, err error) {
	err = l.QueryRow(ctx, `SELECT coalesce((SELECT sum(pg_column_size(d.*)) FROM vademecum.documents d WHERE d.library = $1), 0)
		+ coalesce((SELECT sum(pg_column_size(t.text) + pg_column_size(t.parts)) FROM vademecum.texts t WHERE t.library = $1), 0)
		+ coalesce((SELECT sum(pg_column_size(c.chunks)) FROM vademecum.chunks c WHERE c.library = $1), 0)
		+ coalesce((SELECT sum(pg_column_size(v.vector)) FROM vademecum.vectors v WHERE v.model = $2), 0)`, []any{l.ID, l.ModelID}, &bytes)
	return bytes, err
}

// WithModel returns the library with another model in use, given by its row in the database.
func (l *Library) WithModel(modelID int64) *Library {
	return &Library{DB: l.DB, Name: l.Name, ID: l.ID, ModelID: modelID}
}

// findOrInsert reads from a row identified by names, or inserts it if it does not exist.
func findOrInsert(ctx context.Context, d *db.DB, find, insert string, names []any, into ...any) (err error) {
	// another process may insert it in the meantime
	for _, statement := range []string{find, insert, find} {
		err = d.QueryRow(ctx, statement, names, into...)
		if !errors.Is(err, pgx.ErrNoRows) {
			break
		}
	}
	return err
}

// recordModelInUse records which model is in use, and that the library is indexed with it, unless
// the previous model is kept.
func (l *Library) recordModelInUse(ctx context.Context, model string, keep bool) error {
	last, err := l.Value(ctx, "model")
	if err != nil {
		return err
	}
	if model == "" {
		model = last
	}
	if l.ModelName = model; last != model {
		l.PreviousModel = last
	}
	if last != model && keep && last != "" && (embed.IsWorthStoring(last) || embed.IsWorthStoring(model)) {
		l.KeptModel = last
	} else if last != model {
		if err := l.SetValue(ctx, "model", model); err != nil {
			return err
		}
	}
	l.ModelID, err = l.FindOrInsertModel(ctx, model)
	return err
}

// FindOrInsertModel returns the row of a model, which it inserts if there is none.
func (l *Library) FindOrInsertModel(ctx context.Context, model string) (id int64, err error) {
	err = l.DB.RetryRead(ctx, db.QuickTimeout, func(ctx context.Context) error {
		return findOrInsert(ctx, l.DB, "SELECT id FROM vademecum.models WHERE library = $1 AND name = $2",
			"INSERT INTO vademecum.models (library, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id", []any{db.EscapeNUL(l.Name), db.EscapeNUL(model)}, &id)
	})
	return id, err
}

// QueryRow reads one row into the given variables.
func (l *Library) QueryRow(ctx context.Context, statement string, args []any, into ...any) error {
	return db.ClassifyError(l.DB.RetryRead(ctx, db.QuickTimeout, func(ctx context.Context) error {
		return l.DB.QueryRow(ctx, statement, args, into...)
	}))
}

// QueryRows reads each row into the given variables, and calls f after each. If the connection
// breaks, it starts over; reset is called before each attempt, to clear the result.
func (l *Library) QueryRows(ctx context.Context, statement string, args []any, reset func(), f func() error, into ...any) error {
	return l.Query(ctx, statement, args, func(found pgx.Rows) error {
		reset()
		_, err := pgx.ForEachRow(found, into, f)
		return err
	})
}

// Query calls read with the rows of a statement, which may be many and take long.
func (l *Library) Query(ctx context.Context, statement string, args []any, read func(pgx.Rows) error) error {
	return db.ClassifyError(l.DB.RetryRead(ctx, db.ReadTimeout, func(ctx context.Context) error {
		return l.DB.WithSnapshotOnce(ctx, db.QuickTimeout, db.ReadTimeout, func(ctx context.Context, m *db.Snapshot) error {
			found, err := m.Tx.Query(ctx, statement, args...)
			if err != nil {
				return err
			}
			return read(found)
		})
	}))
}

// Exec runs one statement in a transaction of its own.
func (l *Library) Exec(ctx context.Context, statement string, args ...any) error {
	_, err := l.Transact(ctx, func(ctx context.Context, tx *WriteTx) error {
		_, err := tx.Exec(ctx, statement, args...)
		return err
	})
	return err
}
