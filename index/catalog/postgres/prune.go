package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index/catalog"
)

// PruneDue tells whether a day has passed since the last prune, by any process
// with the model in use.
func (c *Catalog) PruneDue(ctx context.Context) (bool, error) {
	var seconds int64
	if err := c.row(ctx, "SELECT pruned FROM vademecum.models WHERE id = $1", []any{c.model}, &seconds); err != nil {
		return false, err
	}
	since := time.Since(time.Unix(seconds, 0)) // below zero when the clock was put back
	return since < 0 || since > catalog.PruneEvery, nil
}

// DropBuiltin does nothing: no version has saved the vectors of the built-in embedding
// in a database.
func (c *Catalog) DropBuiltin(context.Context) error { return nil }

// Prune notes which vectors of the model in use are not used now, and drops those
// that were not for long. So it does with all those of a model that nobody has used
// for long: who uses one prunes its vectors every day, and the time of one that was
// never looked through begins now.
func (c *Catalog) Prune(ctx context.Context, used map[catalog.Key]bool, now time.Time) error {
	var keys []catalog.Key
	for key, inUse := range used {
		if inUse {
			keys = append(keys, key)
		}
	}
	return c.prune(ctx, now,
		statement{"UPDATE vademecum.vectors SET spare_since = 0 WHERE model = $1 AND spare_since != 0 AND text_key IN (SELECT unnest($2::bytea[]))", []any{c.model, bytesOf(keys)}},
		statement{"UPDATE vademecum.vectors v SET spare_since = $3 WHERE model = $1 AND spare_since = 0 AND NOT EXISTS (SELECT FROM unnest($2::bytea[]) u (key) WHERE u.key = v.text_key)", []any{c.model, bytesOf(keys), now.Unix()}})
}

// isUsed tells of a vector v whether a passage of the library $2, in whichever format,
// has its text.
const isUsed = "EXISTS (SELECT FROM vademecum.libraries l JOIN vademecum.passages p ON p.library = l.id WHERE l.name = $2 AND p.text_key = v.text_key)"

// PruneUnused is Prune of all that no passage uses.
func (c *Catalog) PruneUnused(ctx context.Context, now time.Time) error {
	return c.prune(ctx, now,
		statement{"UPDATE vademecum.vectors v SET spare_since = 0 WHERE model = $1 AND spare_since != 0 AND " + isUsed, []any{c.model, escape(c.name)}},
		statement{"UPDATE vademecum.vectors v SET spare_since = $3 WHERE model = $1 AND spare_since = 0 AND NOT " + isUsed, []any{c.model, escape(c.name), now.Unix()}})
}

// statement is one with what it is about.
type statement struct {
	text string
	args []any
}

// prune drops what has been spare for long, after statements have noted what is.
func (c *Catalog) prune(ctx context.Context, now time.Time, note ...statement) error {
	at, before := now.Unix(), now.Add(-catalog.KeepSpare).Unix()
	_, err := c.transact(ctx, func(ctx context.Context, tx *change) error {
		var b pgx.Batch
		for _, s := range note {
			b.Queue(s.text, s.args...)
		}
		b.Queue("DELETE FROM vademecum.vectors WHERE model = $1 AND spare_since > 0 AND spare_since < $2", c.model, before)
		b.Queue("UPDATE vademecum.models SET pruned = $3 WHERE id = $1 OR library = $2 AND pruned = 0", c.model, escape(c.name), at)
		b.Queue("DELETE FROM vademecum.vectors v USING vademecum.models m WHERE m.id = v.model AND m.library = $2 AND m.id != $1 AND m.pruned < $3", c.model, escape(c.name), before)
		return tx.SendBatch(ctx, &b).Close()
	})
	return err
}
