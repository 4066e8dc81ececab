package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/library"
)

// isPruneDue reports whether a day has passed since any process last pruned the vectors of the model
// in use.
func (c *Catalog) isPruneDue(ctx context.Context, now time.Time) (bool, error) {
	var seconds int64
	if err := c.QueryRow(ctx, "SELECT pruned FROM vademecum.models WHERE id = $1", []any{c.ModelID}, &seconds); err != nil {
		return false, err
	}
	return catalog.IsPruneDue(time.Unix(seconds, 0), now), nil
}

// spareLimit returns the time since which a vector must have been spare to be deleted, in seconds
// since 1970.
func spareLimit(now time.Time) int64 { return now.Add(-catalog.UnusedVectorTTL).Unix() }

// isUsed is a condition on a vector v: a passage of library $2, in any format, has its text.
const isUsed = "EXISTS (SELECT FROM vademecum.libraries l JOIN vademecum.passages p ON p.library = l.id WHERE l.name = $2 AND p.text_key = v.text_key)"

// inPart is a condition on a vector v of model $1: its key is at least $3, and less than $4 unless
// that is NULL.
const inPart = "v.model = $1 AND v.text_key >= $3 AND ($4::bytea IS NULL OR v.text_key < $4)"

// PruneVectors records which vectors of the model in use no passage uses now, and deletes those that have
// been unused for long. Finding these takes long if there are many, and the library must not be
// locked meanwhile: for one range of keys after the other, it records which vectors are unused, and
// checks those that have been unused for long again when it deletes them. It also deletes all
// vectors of models that have been unused for long: a process that uses a model prunes its vectors
// every day, and for a model that was never pruned, the period begins now.
func (c *Catalog) PruneVectors(ctx context.Context, now time.Time, _ func() map[catalog.EmbeddingKey]bool) error {
	due, err := c.isPruneDue(ctx, now)
	if err != nil || !due {
		return err
	}
	for first := range 256 {
		var end []byte
		if first < 255 {
			end = []byte{byte(first + 1)}
		}
		if err := c.pruneKeyRange(ctx, now, []byte{byte(first)}, end); err != nil {
			return err
		}
	}
	return c.finishPrune(ctx, now)
}

// pruneKeyRange records which vectors of the model in use with keys from first to before end no
// passage uses now, and deletes those that have been unused for long.
func (c *Catalog) pruneKeyRange(ctx context.Context, now time.Time, first, end []byte) error {
	name, spare := db.EscapeNUL(c.Name), false
	err := c.TransactUnlocked(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var b pgx.Batch
		b.Queue("UPDATE vademecum.vectors v SET spare_since = 0 WHERE "+inPart+" AND spare_since != 0 AND "+isUsed, c.ModelID, name, first, end)
		b.Queue("UPDATE vademecum.vectors v SET spare_since = $5 WHERE "+inPart+" AND spare_since = 0 AND NOT "+isUsed, c.ModelID, name, first, end, now.Unix())
		b.Queue("SELECT EXISTS (SELECT FROM vademecum.vectors v WHERE v.model = $1 AND v.text_key >= $2 AND ($3::bytea IS NULL OR v.text_key < $3) AND spare_since > 0 AND spare_since < $4)",
			c.ModelID, first, end, spareLimit(now)).QueryRow(func(row pgx.Row) error { return row.Scan(&spare) })
		return tx.SendBatch(ctx, &b).Close()
	})
	if err != nil || !spare {
		return err
	}
	return c.deleteVectorsWhere(ctx, inPart+" AND spare_since > 0 AND spare_since < $5 AND NOT "+isUsed, c.ModelID, name, first, end, spareLimit(now))
}

// finishPrune records that the vectors of the model in use were pruned, and deletes those of models
// that have been unused for long.
func (c *Catalog) finishPrune(ctx context.Context, now time.Time) error {
	_, err := c.Transact(ctx, func(ctx context.Context, tx *library.WriteTx) error {
		_, err := tx.Exec(ctx, "SELECT FROM vademecum.models WHERE id = $1 OR library = $2 AND pruned < $3 ORDER BY id FOR UPDATE", c.ModelID, db.EscapeNUL(c.Name), spareLimit(now))
		if err != nil { // see deleteVectorsWhere
			return err
		}
		var b pgx.Batch
		b.Queue("UPDATE vademecum.models SET pruned = $3 WHERE id = $1 OR library = $2 AND pruned = 0", c.ModelID, db.EscapeNUL(c.Name), now.Unix())
		b.Queue("DELETE FROM vademecum.vectors v USING vademecum.models m WHERE m.id = v.model AND m.library = $2 AND m.id != $1 AND m.pruned < $3", c.ModelID, db.EscapeNUL(c.Name), spareLimit(now))
		b.Queue(deleteUnusedPages)
		return tx.SendBatch(ctx, &b).Close()
	})
	return err
}
