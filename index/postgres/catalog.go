package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"vademecum/embed"
	"vademecum/index/catalog"
	"vademecum/index/postgres/db"
)

// Catalog is one library in a database, as a process has it open.
type Catalog struct {
	store   *db.DB
	name    string
	library int64 // row of the library in the format of this program
	origin  int64 // in which database and table that row is: another after a backup was restored
	model   int64 // row of the embedding model in use
	using   string
	duty    *Duty // without which no document is written; may be nil
	own     commits
	known   atomic.Int64 // version of the library that this process knows of
	retired atomic.Bool
	heads   bool        // documents are listed without their chunks
	spoilt  atomic.Bool // vectors were met that are not what was written

	described atomic.Int64 // slots of the library when the database was asked to look at its tables

	saving sync.Mutex // held while vectors are saved, for which the others wait without a limit

	Before string // the model that the library was indexed with, if that is another
	Kept   string // the same if it stays indexed with that, see KeepModels
}

var _ catalog.Catalog = (*Catalog)(nil)

// longestName is how long names may be: an index takes not much more.
const longestName = 500

// Catalog opens or creates a library for the embedding model named; with no name it
// keeps the one used last.
func (s *Store) Catalog(ctx context.Context, library, model string) (*Catalog, error) {
	for _, name := range []string{library, model} {
		if len(name) > longestName || !utf8.ValidString(name) {
			return nil, fmt.Errorf("a library and a model have names of at most %d bytes of UTF-8", longestName)
		}
	}
	c := &Catalog{store: s.DB, name: library}
	err := s.Read(ctx, db.QuickLimit, func(ctx context.Context) error {
		return findOrMake(ctx, s.DB, "SELECT id, "+origin+" FROM vademecum.libraries WHERE name = $1 AND format = $2",
			"INSERT INTO vademecum.libraries (name, format) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id, "+origin,
			[]any{db.Escape(library), catalog.Format}, &c.library, &c.origin)
	})
	if err == nil {
		err = c.use(ctx, model, s.asks)
	}
	if err != nil {
		return nil, fmt.Errorf("open library %q in %s: %w", library, s.Address, db.Classify(err))
	}
	return c, nil
}

// Look opens a library for the model that was used last, without changing anything. It
// is nil when there is none.
func (s *Store) Look(ctx context.Context, library string) (*Catalog, error) {
	c := &Catalog{store: s.DB, name: library}
	err := s.Read(ctx, db.QuickLimit, func(ctx context.Context) error {
		return s.QueryRow(ctx, `SELECT libraries.id, `+origin+`, m.id, m.name FROM vademecum.libraries
			JOIN vademecum.settings s ON s.library = libraries.id AND s.key = 'model'
			JOIN vademecum.models m ON m.library = libraries.name AND m.name = s.value
			WHERE libraries.name = $1 AND format = $2`, []any{db.Escape(library), catalog.Format}, &c.library, &c.origin, &c.model, &c.using)
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("open library %q in %s: %w", library, s.Address, db.Classify(err))
	}
	c.using = db.Unescape(c.using)
	return c, nil
}

// Size is about how many bytes the library takes in the database, without indexes.
func (c *Catalog) Size(ctx context.Context) (bytes int64, err error) {
	err = c.row(ctx, `SELECT coalesce((SELECT sum(pg_column_size(d.*)) FROM vademecum.documents d WHERE d.library = $1), 0)
		+ coalesce((SELECT sum(pg_column_size(t.text) + pg_column_size(t.parts)) FROM vademecum.texts t WHERE t.library = $1), 0)
		+ coalesce((SELECT sum(pg_column_size(c.chunks)) FROM vademecum.chunks c WHERE c.library = $1), 0)
		+ coalesce((SELECT sum(pg_column_size(v.vector)) FROM vademecum.vectors v WHERE v.model = $2), 0)`, []any{c.library, c.model}, &bytes)
	return bytes, err
}

// findOrMake reads of a row that is found by its names, or makes it where there is none.
func findOrMake(ctx context.Context, d *db.DB, find, make string, names []any, into ...any) (err error) {
	for _, statement := range []string{find, make, find} { // another process may make it meanwhile
		err = d.QueryRow(ctx, statement, names, into...)
		if !errors.Is(err, pgx.ErrNoRows) {
			break
		}
	}
	return err
}

// use notes which model is in use, and that the library is indexed with it, unless the
// one before is to be kept.
func (c *Catalog) use(ctx context.Context, model string, keep bool) error {
	last, err := c.Values().Get(ctx, "model")
	if err != nil {
		return err
	}
	if model == "" {
		model = last
	}
	if c.using = model; last != model {
		c.Before = last
	}
	if last != model && keep && last != "" && (embed.IsStored(last) || embed.IsStored(model)) {
		c.Kept = last
	} else if last != model {
		if err := c.Values().Set(ctx, "model", model); err != nil {
			return err
		}
	}
	c.model, err = c.modelRow(ctx, model)
	return err
}

// modelRow finds or makes the row of a model.
func (c *Catalog) modelRow(ctx context.Context, model string) (id int64, err error) {
	err = c.store.Read(ctx, db.QuickLimit, func(ctx context.Context) error {
		return findOrMake(ctx, c.store, "SELECT id FROM vademecum.models WHERE library = $1 AND name = $2",
			"INSERT INTO vademecum.models (library, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id", []any{db.Escape(c.name), db.Escape(model)}, &id)
	})
	return id, err
}

// Under has documents written only while a duty is this process's, whose commits
// cannot be overtaken by those of the next one then.
func (c *Catalog) Under(d *Duty) { c.duty = d }

// File is "": there is no place on this machine.
func (c *Catalog) File() string { return "" }

// vectors, values are the parts of a catalogue of those names.
type (
	vectors struct{ *Catalog }
	values  struct{ *Catalog }
)

// Vectors are those of the library.
func (c *Catalog) Vectors() catalog.Vectors { return vectors{c} }

// Values are those of the library.
func (c *Catalog) Values() catalog.Values { return values{c} }

// Mailbox is that of the processes on the library.
func (c *Catalog) Mailbox() catalog.Mailbox { return c }

// Health is how the library is.
func (c *Catalog) Health() catalog.Health { return c }

// IsUnsaved is false: the database keeps all.
func (c *Catalog) IsUnsaved() bool { return false }

// Retire notes whether another catalogue takes the place of this one.
func (c *Catalog) Retire(yes bool) { c.retired.Store(yes) }

// IsRetired tells whether another takes its place.
func (c *Catalog) IsRetired() bool { return c.retired.Load() }

// Note has an error match what it comes to. There is nothing to remember: who runs
// the database mends it.
func (c *Catalog) Note(err error) error { return db.Classify(err) }

// Flush does nothing: a commit is as safe as the database is set up to make it.
func (c *Catalog) Flush() error { return nil }

// Close does nothing: the connections are the store's.
func (c *Catalog) Close() error { return nil }

// Model is the name of the model in use.
func (c vectors) Model(context.Context) (string, error) { return c.using, nil }

// ModelKey is the key of a value that is about the model in use.
func (c values) ModelKey(of string) string { return fmt.Sprintf("%s of model %d", of, c.model) }

// Get reads what was set under a key, "" when it never was.
func (c values) Get(ctx context.Context, key string) (value string, err error) {
	err = c.row(ctx, "SELECT value FROM vademecum.settings WHERE library = $1 AND key = $2", []any{c.library, db.Escape(key)}, &value)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return db.Unescape(value), err
}

// Set keeps a value under a key.
func (c values) Set(ctx context.Context, key, value string) error {
	return c.write(ctx, "INSERT INTO vademecum.settings (library, key, value) VALUES ($1, $2, $3) ON CONFLICT (library, key) DO UPDATE SET value = excluded.value",
		c.library, db.Escape(key), db.Escape(value))
}

// row reads one row into what is given.
func (c *Catalog) row(ctx context.Context, statement string, args []any, into ...any) error {
	return db.Classify(c.store.Read(ctx, db.QuickLimit, func(ctx context.Context) error {
		return c.store.QueryRow(ctx, statement, args, into...)
	}))
}

// rows reads rows, each into what is given, and calls f after each. Where the
// connection breaks it begins anew, for which begin makes ready.
func (c *Catalog) rows(ctx context.Context, statement string, args []any, begin func(), f func() error, into ...any) error {
	return c.query(ctx, statement, args, func(found pgx.Rows) error {
		begin()
		_, err := pgx.ForEachRow(found, into, f)
		return err
	})
}

// query has the rows of a statement read. They may be many and take long.
func (c *Catalog) query(ctx context.Context, statement string, args []any, read func(pgx.Rows) error) error {
	return db.Classify(c.store.Read(ctx, db.ReadLimit, func(ctx context.Context) error {
		return c.store.Snapshot(ctx, db.QuickLimit, db.ReadLimit, func(ctx context.Context, m *db.Snapshot) error {
			found, err := m.Tx.Query(ctx, statement, args...)
			if err != nil {
				return err
			}
			return read(found)
		})
	}))
}

// write runs one statement in a transaction of its own.
func (c *Catalog) write(ctx context.Context, statement string, args ...any) error {
	_, err := c.transact(ctx, func(ctx context.Context, tx *change) error {
		_, err := tx.Exec(ctx, statement, args...)
		return err
	})
	return err
}
