package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vademecum/index/lexical"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
)

// VectorDimensions returns the length of the vectors of the model in use; 0 if there are none.
func (c *Catalog) VectorDimensions(ctx context.Context) (length int, err error) {
	err = c.QueryRow(ctx, "SELECT array_length(vector, 1) FROM vademecum.vectors WHERE model = $1 LIMIT 1", []any{c.ModelID}, &length)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, nil
	}
	return length, err
}

// hasNoVector is a condition that holds if passage p has no vector of model $2.
const hasNoVector = "NOT EXISTS (SELECT FROM vademecum.vectors v WHERE v.model = $2 AND v.text_key = p.text_key)"

// selectUnembedded lists the passages without vectors that have slots from $3 to before $4.
const selectUnembedded = "SELECT p.slot FROM vademecum.passages p WHERE p.library = $1 AND p.slot >= $3 AND p.slot < $4 AND " + hasNoVector + " ORDER BY p.slot"

// selectRefused lists those passages without vectors in slots from $3 to before $4 that the model
// refused.
const selectRefused = `SELECT DISTINCT p.slot FROM vademecum.refusals r JOIN vademecum.passages p ON p.library = $1 AND p.text_key = r.text_key
	WHERE r.model = $2 AND p.slot >= $3 AND p.slot < $4 AND ` + hasNoVector + " ORDER BY p.slot"

// selectEmbedded selects the recorded slot before which all passages of library $1 have vectors of
// model $2, or were refused. It is 0 if all vectors are missing, because a backup without them was
// restored.
const selectEmbedded = `SELECT coalesce(max(m.embedded_before), 0) FROM vademecum.models m
	WHERE m.id = $2 AND m.embedded_library = $1 AND EXISTS (SELECT FROM vademecum.vectors v WHERE v.model = $2)`

// UnembeddedSlots lists the slots in a range whose chunks have no vector.
func (c *Catalog) UnembeddedSlots(ctx context.Context, slotRange lexical.SlotRange) (slots []uint32, err error) {
	first, end := int64(slotRange.First), int64(slotRange.First)+int64(slotRange.Count)
	err = c.DB.RetryRead(ctx, db.ReadTimeout, func(ctx context.Context) error {
		return c.DB.WithSnapshotOnce(ctx, db.QuickTimeout, db.ReadTimeout, func(ctx context.Context, m *db.Snapshot) error {
			var embedded int64
			if err := m.Tx.QueryRow(ctx, selectEmbedded, c.ID, c.ModelID).Scan(&embedded); err != nil {
				return err
			}
			embedded = min(max(first, embedded), end)
			var batch pgx.Batch
			slots = nil
			take := func(rows pgx.Rows) error {
				some, err := pgx.CollectRows(rows, pgx.RowTo[uint32])
				slots = append(slots, some...)
				return err
			}
			if embedded > first {
				batch.Queue(selectRefused, c.ID, c.ModelID, first, embedded).Query(take)
			}
			if end > embedded {
				batch.Queue(selectUnembedded, c.ID, c.ModelID, embedded, end).Query(take)
			}
			return m.Tx.SendBatch(ctx, &batch).Close()
		})
	})
	if err != nil {
		return nil, fmt.Errorf("look for passages without vectors: %w", db.ClassifyError(err))
	}
	return slots, nil
}

// SlotsEmbeddedAfter lists the slots whose chunks have a vector that was saved in a later row than
// afterRow.
func (c *Catalog) SlotsEmbeddedAfter(ctx context.Context, afterRow int64) ([]uint32, error) {
	return c.querySlots(ctx, `SELECT p.slot FROM vademecum.vectors v JOIN vademecum.passages p ON p.library = $1 AND p.text_key = v.text_key
		WHERE v.model = $2 AND v.row > $3`, c.ID, c.ModelID, afterRow)
}

func (c *Catalog) querySlots(ctx context.Context, statement string, args ...any) (found []uint32, err error) {
	err = c.Query(ctx, statement, args, func(rows pgx.Rows) (err error) {
		found, err = pgx.CollectRows(rows, pgx.RowTo[uint32])
		return err
	})
	return found, err
}

// RefusedSlots lists the slots whose chunks the model in use refused after a time, with the reasons.
func (c *Catalog) RefusedSlots(ctx context.Context, after time.Time) (reasons map[uint32]string, err error) {
	var slot uint32
	var reason string
	err = c.QueryRows(ctx, `SELECT p.slot, r.reason FROM vademecum.refusals r JOIN vademecum.passages p ON p.library = $1 AND p.text_key = r.text_key
		WHERE r.model = $2 AND r.at > $3`, []any{c.ID, c.ModelID, after.Unix()}, func() { reasons = make(map[uint32]string) }, func() error {
		reasons[slot] = db.UnescapeNUL(reason)
		return nil
	}, &slot, &reason)
	return reasons, err
}

// ChunksAt returns the chunks at the given slots, without their terms.
func (c *Catalog) ChunksAt(ctx context.Context, slots []uint32) (found map[uint32]catalog.Chunk, err error) {
	var slot uint32
	var packed pgtype.DriverBytes
	err = c.QueryRows(ctx, "SELECT slot, chunk FROM vademecum.passages WHERE library = $1 AND slot = ANY($2)",
		[]any{c.ID, asInt64(slots)}, func() { found = make(map[uint32]catalog.Chunk, len(slots)) }, func() (err error) {
			found[slot], err = parsePassage(packed)
			return err
		}, &slot, &packed)
	return found, err
}
