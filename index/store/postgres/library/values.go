package library

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
)

// values reads and writes the short texts that a library keeps by key.
type values struct{ *Library }

// Values returns the values of the library.
func (l *Library) Values() catalog.KeyValueStore { return values{l} }

// Get returns the value of a key; "" if it was never set.
func (v values) Get(ctx context.Context, key string) (value string, err error) {
	err = v.QueryRow(ctx, "SELECT value FROM vademecum.settings WHERE library = $1 AND key = $2", []any{v.ID, db.EscapeNUL(key)}, &value)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return db.UnescapeNUL(value), err
}

// List returns the values of the keys that begin with prefix.
func (v values) List(ctx context.Context, prefix string) (all map[string]string, err error) {
	var key, value string
	err = v.QueryRows(ctx, "SELECT key, value FROM vademecum.settings WHERE library = $1 AND starts_with(key, $2)",
		[]any{v.ID, db.EscapeNUL(prefix)}, func() { all = make(map[string]string) }, func() error {
			all[db.UnescapeNUL(key)] = db.UnescapeNUL(value)
			return nil
		}, &key, &value)
	return all, err
}

// Set stores the value of a key, or removes it if value is "".
func (v values) Set(ctx context.Context, key, value string) error {
	if value == "" {
		return v.Exec(ctx, "DELETE FROM vademecum.settings WHERE library = $1 AND key = $2", v.ID, db.EscapeNUL(key))
	}
	return v.Exec(ctx, "INSERT INTO vademecum.settings (library, key, value) VALUES ($1, $2, $3) ON CONFLICT (library, key) DO UPDATE SET value = excluded.value",
		v.ID, db.EscapeNUL(key), db.EscapeNUL(value))
}
