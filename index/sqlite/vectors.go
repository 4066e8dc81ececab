package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"strings"
	"time"

	"vademecum/index/catalog"
)

// Save stores vectors of the model in use.
func (c vectors) Save(ctx context.Context, vectors map[catalog.EmbeddingKey][]float32) error {
	return c.transact(ctx, func(tx *sql.Tx) error { return insertVectors(ctx, tx, c.model, vectors) })
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

// DeleteAll deletes all vectors of the model in use.
func (c vectors) DeleteAll(ctx context.Context) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM vectors WHERE model = ?", c.model)
		return err
	})
}

// SavedAfter returns the vectors of the model in use that were saved after the given row.
func (c vectors) SavedAfter(ctx context.Context, row int64) (map[catalog.EmbeddingKey][]float32, error) {
	found, err := c.scanVectors(ctx, "SELECT text_key, vector FROM vectors WHERE model = ? AND id > ?", c.model, row)
	return found, c.RecordError(err)
}

// LastRow returns the row of the vector saved last.
func (c vectors) LastRow(ctx context.Context) (row int64, err error) {
	err = c.read.QueryRowContext(ctx, "SELECT coalesce(max(id), 0) FROM vectors").Scan(&row)
	return row, c.RecordError(err)
}

// Find returns the stored vectors of texts by key. Texts without a vector are omitted.
func (c vectors) Find(ctx context.Context, keys []catalog.EmbeddingKey) (map[catalog.EmbeddingKey][]float32, error) {
	found := make(map[catalog.EmbeddingKey][]float32)
	const most = 500 // bound values in one statement
	for len(keys) > 0 {
		n := min(len(keys), most)
		args := []any{c.model}
		for _, k := range keys[:n] {
			args = append(args, k[:])
		}
		part, err := c.scanVectors(ctx, "SELECT text_key, vector FROM vectors WHERE model = ? AND text_key IN (?"+strings.Repeat(",?", n-1)+")", args...)
		if err != nil {
			return nil, c.RecordError(err)
		}
		maps.Copy(found, part)
		keys = keys[n:]
	}
	return found, nil
}

func (c *Catalog) scanVectors(ctx context.Context, statement string, args ...any) (map[catalog.EmbeddingKey][]float32, error) {
	rows, err := c.read.QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := make(map[catalog.EmbeddingKey][]float32)
	var key, blob sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&key, &blob); err != nil {
			return nil, err
		}
		vec, ok := decodeVector(key, blob)
		if !ok {
			return nil, fmt.Errorf("a vector: %w", catalog.ErrDamaged)
		}
		found[catalog.EmbeddingKey(key)] = vec
	}
	return found, rows.Err()
}

// RecordRefusals records why the model in use refuses texts.
func (c vectors) RecordRefusals(ctx context.Context, reasons map[catalog.EmbeddingKey]string) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		for key, reason := range reasons {
			if _, err := tx.ExecContext(ctx, "INSERT OR REPLACE INTO refusals (model, text_key, reason, at) VALUES (?, ?, ?, ?)",
				c.model, key[:], reason, time.Now().Unix()); err != nil {
				return err
			}
		}
		return nil
	})
}

// Refusals returns the refusals recorded after a time.
func (c vectors) Refusals(ctx context.Context, after time.Time) (map[catalog.EmbeddingKey]string, error) {
	rows, err := c.read.QueryContext(ctx, "SELECT text_key, reason FROM refusals WHERE model = ? AND at > ?", c.model, after.Unix())
	if err != nil {
		return nil, c.RecordError(err)
	}
	defer rows.Close()
	reasons := make(map[catalog.EmbeddingKey]string)
	for rows.Next() {
		var key []byte
		var reason string
		if err := rows.Scan(&key, &reason); err != nil {
			return nil, c.RecordError(err)
		}
		if len(key) != len(catalog.EmbeddingKey{}) {
			return nil, c.RecordError(fmt.Errorf("a refusal: %w", catalog.ErrDamaged))
		}
		reasons[catalog.EmbeddingKey(key)] = reason
	}
	return reasons, c.RecordError(rows.Err())
}

// ClearRefusals deletes the recorded refusals.
func (c vectors) ClearRefusals(ctx context.Context) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM refusals WHERE model = ?", c.model)
		return err
	})
}
