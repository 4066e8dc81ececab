package postgres

import (
	"context"
	"fmt"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/library"
)

// markedAtOnce is how many slots RecordFirstUnembeddedSlot examines in one commit, which blocks other writers of
// the library.
const markedAtOnce = 20_000

// RecordFirstUnembeddedSlot records the slot before which all chunks have vectors, or were refused.
func (c *Catalog) RecordFirstUnembeddedSlot(ctx context.Context) error {
	for {
		more, err := c.advanceEmbedded(ctx)
		if err != nil {
			return fmt.Errorf("note which passages have vectors: %w", err)
		}
		if !more {
			return nil
		}
	}
}

// selectMark selects the slot recorded by RecordFirstUnembeddedSlot, and the end of the library's slots.
const selectMark = "SELECT (" + selectEmbedded + "), next_slot FROM vademecum.libraries WHERE id = $1"

// firstOwed finds the first passage with a slot from $3 to before $4 that has no vector and was not
// refused. OFFSET 0 forces a look-up for each passage; without it, PostgreSQL would scan all
// vectors.
const firstOwed = `p.slot FROM vademecum.passages p WHERE p.library = $1 AND p.slot >= $3 AND p.slot < $4
	AND NOT EXISTS (SELECT FROM vademecum.vectors v WHERE v.model = $2 AND v.text_key = p.text_key OFFSET 0)
	AND NOT EXISTS (SELECT FROM vademecum.refusals r WHERE r.model = $2 AND r.text_key = p.text_key OFFSET 0) ORDER BY p.slot LIMIT 1`

// advanceEmbedded moves the slot that RecordFirstUnembeddedSlot records forward, and reports whether there are
// more slots to examine.
func (c *Catalog) advanceEmbedded(ctx context.Context) (more bool, err error) {
	var from, end int64
	if err := c.QueryRow(ctx, selectMark, []any{c.ID, c.ModelID}, &from, &end); err != nil || from >= end {
		return false, err
	}
	_, err = c.Transact(ctx, func(ctx context.Context, tx *library.WriteTx) error {
		// must precede the check: see the migration
		if _, err := tx.Exec(ctx, lockModel, c.ModelID); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, selectMark, c.ID, c.ModelID).Scan(&from, &end); err != nil {
			return err
		}
		to, owed := min(from+markedAtOnce, end), int64(0)
		if err := tx.QueryRow(ctx, "SELECT coalesce((SELECT "+firstOwed+"), $4)", c.ID, c.ModelID, from, to).Scan(&owed); err != nil {
			return err
		}
		more = owed == to && to < end
		_, err := tx.Exec(ctx, "UPDATE vademecum.models SET embedded_library = $1, embedded_before = $3 WHERE id = $2", c.ID, c.ModelID, owed)
		return err
	})
	return more, err
}

// checkEmbedded checks whether all passages marked as embedded have vectors. The mark may be
// removed concurrently, so the same statement reads it.
func (c *Catalog) checkEmbedded(ctx context.Context) error {
	var end int64
	if err := c.QueryRow(ctx, selectEmbedded, []any{c.ID, c.ModelID}, &end); err != nil {
		return err
	}
	for from := int64(0); from < end; from += markedAtOnce {
		owed, err := c.querySlots(ctx, "SELECT slot FROM (SELECT "+firstOwed+") owed WHERE slot < ("+selectEmbedded+")", c.ID, c.ModelID, from, min(from+markedAtOnce, end))
		if err != nil {
			return err
		}
		if len(owed) > 0 {
			return fmt.Errorf("the passage at slot %d has no vector although that is noted: %w", owed[0], catalog.ErrDamaged)
		}
	}
	return nil
}
