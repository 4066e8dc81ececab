package library

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vademecum/index/catalog"
	"vademecum/index/postgres/db"
)

// values are the small texts of a library.
type values struct{ *Library }

// Values returns the values of the library.
func (l *Library) Values() catalog.Values { return values{l} }

// ModelKey is the key of a value that is about the model in use.
func (v values) ModelKey(of string) string { return fmt.Sprintf("%s of model %d", of, v.ModelID) }

// Get reads what was set under a key, "" when it never was.
func (v values) Get(ctx context.Context, key string) (value string, err error) {
	err = v.QueryRow(ctx, "SELECT value FROM vademecum.settings WHERE library = $1 AND key = $2", []any{v.ID, db.Escape(key)}, &value)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return db.Unescape(value), err
}

// Set keeps a value under a key.
func (v values) Set(ctx context.Context, key, value string) error {
	return v.Exec(ctx, "INSERT INTO vademecum.settings (library, key, value) VALUES ($1, $2, $3) ON CONFLICT (library, key) DO UPDATE SET value = excluded.value",
		v.ID, db.Escape(key), db.Escape(value))
}
