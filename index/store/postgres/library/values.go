package library

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/postgres/db"
)

// Value returns the value of a key; "" if it was never set.
func (l *Library) Value(ctx context.Context, key string) (value string, err error) {
	err = l.QueryRow(ctx, "SELECT value FROM vademecum.settings WHERE library = $1 AND key = $2", []any{l.ID, db.EscapeNUL(key)}, &value)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return db.UnescapeNUL(value), err
}

// Values returns the values of the keys that begin with prefix.
func (l *Library) Values(ctx context.Context, prefix string) (all map[string]string, err error) {
	var key, value string
	err = l.QueryRows(ctx, "SELECT key, value FROM vademecum.settings WHERE library = $1 AND starts_with(key, $2)",
		[]any{l.ID, db.EscapeNUL(prefix)}, func() { all = make(map[string]string) }, func() error {
			all[db.UnescapeNUL(key)] = db.UnescapeNUL(value)
			return nil
		}, &key, &value)
	return all, err
}

// SetValue stores the value of a key, or removes it if value is "".
func (l *Library) SetValue(ctx context.Context, key, value string) error {
	if value == "" {
		return l.Exec(ctx, "DELETE FROM vademecum.settings WHERE library = $1 AND key = $2", l.ID, db.EscapeNUL(key))
	}
	return l.Exec(ctx, "INSERT INTO vademecum.settings (library, key, value) VALUES ($1, $2, $3) ON CONFLICT (library, key) DO UPDATE SET value = excluded.value",
		l.ID, db.EscapeNUL(key), db.EscapeNUL(value))
}
