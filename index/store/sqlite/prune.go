package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"vademecum/index/store/catalog"
)

// prunedKey is the key of the time when the vectors of a model were last pruned.
func prunedKey(model int64) string { return fmt.Sprintf("pruned %d", model) }

// isPruneDue reports whether a day has passed since any process last pruned the vectors of the model
// in use.
func (c *Catalog) isPruneDue(ctx context.Context, now time.Time) (bool, error) {
	value, err := c.Value(ctx, prunedKey(c.model))
	if err != nil || value == "" {
		return true, err
	}
	last, err := time.Parse(time.RFC3339, value)
	return err != nil || catalog.IsPruneDue(last, now), nil
}

// PruneVectors records which vectors of the model in use no document uses now, and deletes those that have
// been unused for catalog.UnusedVectorTTL.
func (c *Catalog) PruneVectors(ctx context.Context, now time.Time, usedKeys func() map[catalog.EmbeddingKey]bool) error {
	due, err := c.isPruneDue(ctx, now)
	if err != nil || !due {
		return err
	}
	spare, back, err := c.spareVectors(ctx, usedKeys())
	if err != nil {
		return err
	}
	return c.transact(ctx, func(tx *sql.Tx) error {
		for _, id := range back {
			if _, err := tx.ExecContext(ctx, "UPDATE vectors SET spare_since = 0 WHERE id = ?", id); err != nil {
				return err
			}
		}
		for _, id := range spare {
			if _, err := tx.ExecContext(ctx, "UPDATE vectors SET spare_since = ? WHERE id = ?", now.Unix(), id); err != nil {
				return err
			}
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM vectors WHERE model = ? AND spare_since > 0 AND spare_since < ?", c.model, now.Add(-catalog.UnusedVectorTTL).Unix()); err != nil {
			return err
		}
		if err := setMeta(ctx, tx, prunedKey(c.model), now.UTC().Format(time.RFC3339)); err != nil {
			return err
		}
		return c.pruneOthers(ctx, tx, now)
	})
}

// pruneOthers deletes the vectors of models that no process has used for long. A process that uses
// a model prunes its vectors every day, so the time of the last prune shows when it was used.
func (c *Catalog) pruneOthers(ctx context.Context, tx *sql.Tx, now time.Time) error {
	others, err := rowNumbers(ctx, tx, "SELECT id FROM models WHERE id != ?", c.model)
	if err != nil {
		return err
	}
	for _, id := range others {
		value, err := getMeta(ctx, tx, prunedKey(id))
		if err != nil {
			return err
		}
		last, err := time.Parse(time.RFC3339, value)
		switch {
		case err != nil: // its period begins now
			err = setMeta(ctx, tx, prunedKey(id), now.UTC().Format(time.RFC3339))
		case now.Sub(last) > catalog.UnusedVectorTTL:
			_, err = tx.ExecContext(ctx, "DELETE FROM vectors WHERE model = ?", id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// spareVectors returns the rows of vectors that have become unused since the last prune, and of
// those that are used again.
func (c *Catalog) spareVectors(ctx context.Context, used map[catalog.EmbeddingKey]bool) (spare, back []int64, err error) {
	rows, err := c.read.QueryContext(ctx, "SELECT id, text_key, spare_since FROM vectors WHERE model = ?", c.model)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, since int64
		var key []byte
		if err := rows.Scan(&id, &key, &since); err != nil {
			return nil, nil, err
		}
		inUse := len(key) == len(catalog.EmbeddingKey{}) && used[catalog.EmbeddingKey(key)]
		switch {
		case inUse && since != 0:
			back = append(back, id)
		case !inUse && since == 0:
			spare = append(spare, id)
		}
	}
	return spare, back, rows.Err()
}
