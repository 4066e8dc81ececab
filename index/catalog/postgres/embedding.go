package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vademecum/index/catalog"
	"vademecum/index/lexical"
)

var _ catalog.Embedding = (*Catalog)(nil)

// Dimensions is how long the vectors of the model in use are.
func (c *Catalog) Dimensions(ctx context.Context) (length int, err error) {
	err = c.row(ctx, "SELECT array_length(vector, 1) FROM vademecum.vectors WHERE model = $1 LIMIT 1", []any{c.model}, &length)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return length, err
}

// Bare lists the slots in a run whose chunks have no vector.
func (c *Catalog) Bare(ctx context.Context, in lexical.Run) ([]uint32, error) {
	slots, err := c.slots(ctx, `SELECT p.slot FROM vademecum.passages p WHERE p.library = $1 AND p.slot >= $3 AND p.slot < $4
		AND NOT EXISTS (SELECT FROM vademecum.vectors v WHERE v.model = $2 AND v.text_key = p.text_key) ORDER BY p.slot`,
		c.library, c.model, int64(in.First), int64(in.First)+int64(in.Count))
	if err != nil {
		return nil, fmt.Errorf("look for passages without vectors: %w", err)
	}
	return slots, nil
}

// Given lists the slots whose chunks have a vector that was saved after a row.
func (c *Catalog) Given(ctx context.Context, after int64) ([]uint32, error) {
	return c.slots(ctx, `SELECT p.slot FROM vademecum.vectors v JOIN vademecum.passages p ON p.library = $1 AND p.text_key = v.text_key
		WHERE v.model = $2 AND v.row > $3`, c.library, c.model, after)
}

func (c *Catalog) slots(ctx context.Context, statement string, args ...any) (found []uint32, err error) {
	err = c.query(ctx, statement, args, func(rows pgx.Rows) (err error) {
		found, err = pgx.CollectRows(rows, pgx.RowTo[uint32])
		return err
	})
	return found, err
}

// Refused lists the slots whose chunks the model in use gives no vectors, and why.
func (c *Catalog) Refused(ctx context.Context, after time.Time) (reasons map[uint32]string, err error) {
	var slot uint32
	var reason string
	err = c.rows(ctx, `SELECT p.slot, r.reason FROM vademecum.refusals r JOIN vademecum.passages p ON p.library = $1 AND p.text_key = r.text_key
		WHERE r.model = $2 AND r.at > $3`, []any{c.library, c.model, after.Unix()}, func() { reasons = make(map[uint32]string) }, func() error {
		reasons[slot] = unescape(reason)
		return nil
	}, &slot, &reason)
	return reasons, err
}

// ChunksAt finds chunks by their slots, without their terms.
func (c *Catalog) ChunksAt(ctx context.Context, slots []uint32) (found map[uint32]catalog.Chunk, err error) {
	var slot uint32
	var packed pgtype.DriverBytes
	err = c.rows(ctx, "SELECT slot, chunk FROM vademecum.passages WHERE library = $1 AND slot = ANY($2)",
		[]any{c.library, wide(slots)}, func() { found = make(map[uint32]catalog.Chunk, len(slots)) }, func() (err error) {
			found[slot], err = parsePassage(packed)
			return err
		}, &slot, &packed)
	return found, err
}
