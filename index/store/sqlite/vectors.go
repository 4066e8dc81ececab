package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"strings"

	"vademecum/embed"
	"vademecum/index/store/catalog"
)

// SaveVectors saves vectors of the named model, if they are worth storing, or of the model in use.
func (c *Catalog) SaveVectors(ctx context.Context, model string, vectors map[catalog.EmbeddingKey][]float32) error {
	if model != "" && !embed.IsWorthStoring(model) {
		return nil
	}
	return c.transact(ctx, func(tx *sql.Tx) error {
		id := c.model
		if model != "" {
			if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO models (name) VALUES (?)", model); err != nil {
				return err
			}
			if err := tx.QueryRowContext(ctx, "SELECT id FROM models WHERE name = ?", model).Scan(&id); err != nil {
				return err
			}
		}
		return insertVectors(ctx, tx, id, vectors)
	})
}

// insertVectors inserts those vectors that are not stored yet.
func insertVectors(ctx context.Context, tx *sql.Tx, model int64, some map[catalog.EmbeddingKey][]float32) error {
	insert, err := tx.PrepareContext(ctx, "INSERT OR IGNORE INTO vectors (model, text_key, vector) VALUES (?, ?, ?)")
	if err != nil {
		return err
	}
	defer insert.Close()
	for key, vec := range some {
		if _, err := insert.ExecContext(ctx, model, key[:], encodeVector(key, vec)); err != nil {
			return err
		}
	}
	return nil
}

// DeleteVectors deletes all vectors of the model in use.
func (c *Catalog) DeleteVectors(ctx context.Context) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM vectors WHERE model = ?", c.model)
		return err
	})
}

// VectorsSavedAfter returns the vectors of the model in use that were saved after the given row, and the
// row of the last one.
func (c *Catalog) VectorsSavedAfter(ctx context.Context, row int64) (map[catalog.EmbeddingKey][]float32, int64, error) {
	found, last, err := c.scanVectors(ctx, selectVectors+"id > ?", c.model, row)
	return found, max(row, last), c.recordError(err)
}

// FindVectors returns the stored vectors of texts by key. Texts without a vector are omitted.
func (c *Catalog) FindVectors(ctx context.Context, keys []catalog.EmbeddingKey) (map[catalog.EmbeddingKey][]float32, error) {
	found := make(map[catalog.EmbeddingKey][]float32)
	const most = 500 // bound values in one statement
	for len(keys) > 0 {
		n := min(len(keys), most)
		args := []any{c.model}
		for _, k := range keys[:n] {
			args = append(args, k[:])
		}
		part, _, err := c.scanVectors(ctx, selectVectors+"text_key IN (?"+strings.Repeat(",?", n-1)+")", args...)
		if err != nil {
			return nil, c.recordError(err)
		}
		maps.Copy(found, part)
		keys = keys[n:]
	}
	return found, nil
}

// selectVectors begins a statement for scanVectors; the first parameter is the model.
const selectVectors = "SELECT id, text_key, vector FROM vectors WHERE model = ? AND "

// scanVectors returns the vectors that a statement selects, and the last of their rows.
func (c *Catalog) scanVectors(ctx context.Context, statement string, args ...any) (found map[catalog.EmbeddingKey][]float32, last int64, err error) {
	rows, err := c.read.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	found = make(map[catalog.EmbeddingKey][]float32)
	var id int64
	var key, blob sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&id, &key, &blob); err != nil {
			return nil, 0, err
		}
		vec, ok := decodeVector(key, blob)
		if !ok {
			return nil, 0, fmt.Errorf("a vector: %w", catalog.ErrDamaged)
		}
		found[catalog.EmbeddingKey(key)] = vec
		last = max(last, id)
	}
	return found, last, rows.Err()
}
