package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"vademecum/index/catalog"
	"vademecum/index/postgres/db"
	"vademecum/index/postgres/library"
	"vademecum/index/postgres/schema"
)

// Condition returns Well if this process has met no damage: errors report what is wrong with a
// database, and it is mended in place.
func (c *Catalog) Condition() catalog.Condition { return catalog.Condition{} }

// mostMended is the most documents that are read again one by one: if more are damaged, or one in
// so many, all are.
const (
	mostMended  = 1000
	mendedShare = 4
)

// Mend reads all that questions are answered from, and removes what is not what was
// written: vectors, documents, or the whole library with all but its vectors where that is
// allowed. A process that sees the files indexes them again, as others have changed the library.
func (c *Catalog) Mend(ctx context.Context, whole bool) (catalog.RemovedDamage, error) {
	if err := schema.CheckVersion(ctx, c.DB); err != nil {
		return catalog.RemovedDamage{}, err
	}
	if err := c.checkName(ctx); err != nil {
		return catalog.RemovedDamage{}, err
	}
	var done CheckResult
	found, err := c.verifyRows(ctx, &done)
	if err != nil {
		return catalog.RemovedDamage{}, err
	}
	damage := found.error()
	switch {
	case damage == nil:
		return c.mendBesideDocuments(ctx)
	case found.all == nil && len(found.documents) <= mostMended && mendedShare*len(found.documents) <= max(mendedShare, done.Documents):
		err = c.removeRows(ctx, slices.Collect(maps.Keys(found.documents)))
		return catalog.RemovedDamage{Damage: damage, Documents: len(found.documents)}, err
	case !whole:
		return catalog.RemovedDamage{Damage: damage, Left: true}, nil
	}
	return catalog.RemovedDamage{Damage: damage, All: true}, c.removeLibrary(ctx)
}

// mendBesideDocuments looks after what documents are not damaged with.
func (c *Catalog) mendBesideDocuments(ctx context.Context) (done catalog.RemovedDamage, err error) {
	if err = c.restoreModel(ctx); err == nil {
		done.Vectors, err = c.mendVectors(ctx)
	}
	if err == nil {
		err = c.saveRowCounts(ctx)
	}
	if err == nil && done.Vectors > 0 {
		done.Damage = fmt.Errorf("a vector: %w", catalog.ErrDamaged)
	}
	return done, err
}

// mendVectors removes the vectors of the model in use that are not what was written, and
// reports how many. Their passages have none then, and are embedded again.
func (c *Catalog) mendVectors(ctx context.Context) (removed int, err error) {
	err = c.eachVectorBatch(ctx, func(_ map[catalog.Key][]float32, damaged []int64) error {
		if len(damaged) == 0 {
			return nil
		}
		removed += len(damaged)
		return c.deleteVectors(ctx, "v.model = $1 AND v.row = ANY($2)", c.ModelID, damaged)
	})
	return removed, err
}

// Paths lists the paths of all documents with a stored text, whether it is damaged or not.
func (c *Catalog) Paths(ctx context.Context) (all []string, err error) {
	var one string
	err = c.QueryRows(ctx, "SELECT path FROM vademecum.documents WHERE library = $1 AND skip = ''", []any{c.ID},
		func() { all = all[:0] }, func() error { all = append(all, db.Unescape(one)); return nil }, &one)
	return all, err
}

// TakeSkippedDamage reports whether vectors were met since the last time that are not what was written,
// and passed over.
func (c *Catalog) TakeSkippedDamage() bool { return c.spoilt.Swap(false) }

// checkName fails if the library would not be found again by its name: it is as good as gone, and
// its owner is unknown.
func (c *Catalog) checkName(ctx context.Context) error {
	var right bool
	err := c.QueryRow(ctx, "SELECT EXISTS (SELECT FROM vademecum.libraries WHERE "+library.Itself+" AND name = $3 AND format = $4)",
		[]any{c.ID, c.Origin, db.Escape(c.Name), catalog.Format}, &right)
	if err == nil && !right {
		err = db.ErrGone
	}
	return err
}

// removeRows removes documents by row, whichever process has the duty to index: they cannot have
// been rewritten meanwhile, as a rewritten document has another row.
func (c *Catalog) removeRows(ctx context.Context, ids []int64) error {
	_, err := c.Transact(ctx, func(ctx context.Context, w *library.WriteTx) error {
		w.Foreign = true
		return c.deleteDocuments(ctx, w, "id = ANY($2)", ids)
	})
	if err != nil {
		return fmt.Errorf("remove what is damaged: %w", err)
	}
	return nil
}

// removeLibrary removes the library except for its vectors, however long that takes. It is gone
// then for all processes; the next one that opens it recreates it.
func (c *Catalog) removeLibrary(ctx context.Context) error {
	err := db.Classify(c.DB.Retry(ctx, c.DB.Patience, mergeLimit, func(ctx context.Context) error {
		tx, err := c.DB.BeginTx(ctx, db.QuickLimit, db.WithLimits("begin", mergeLimit, c.DB.Patience, db.UsualPatience))
		if err != nil {
			return err
		}
		return c.DB.InTx(ctx, tx, func(ctx context.Context) error {
			var there bool
			err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM vademecum.libraries WHERE "+library.Itself+")", c.ID, c.Origin).Scan(&there)
			if err == nil && !there { // another was faster
				err = db.ErrGone
			}
			if err != nil {
				return err
			}
			// Where another process has changed the row meanwhile, a row that a trigger is
			// called for is not known to be of its table, and would stay.
			if _, err := tx.Exec(ctx, "DELETE FROM vademecum.libraries WHERE id = $1", c.ID); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "SELECT pg_notify($1, $2)", db.Channel, strconv.FormatInt(c.ID, 10)); err != nil {
				return err
			}
			return tx.Commit(ctx)
		})
	}))
	if err != nil && !errors.Is(err, catalog.ErrGone) {
		return fmt.Errorf("remove the library, which is damaged: %w", err)
	}
	return nil
}

// restoreModel stores the model of the library again after that was lost: it is recorded nowhere
// else.
func (c *Catalog) restoreModel(ctx context.Context) error {
	var there bool
	err := c.QueryRow(ctx, "SELECT EXISTS (SELECT FROM vademecum.models WHERE id = $1 AND library = $2 AND name = $3)", []any{c.ModelID, db.Escape(c.Name), db.Escape(c.ModelName)}, &there)
	if err == nil && !there {
		err = db.ErrGone
	}
	if err != nil {
		return err
	}
	last, err := c.Values().Get(ctx, "model")
	if err != nil || last == c.ModelName || c.Kept != "" {
		return err
	}
	row := int64(0)
	err = c.QueryRow(ctx, "SELECT count(*) FROM vademecum.models WHERE library = $1 AND name = $2", []any{db.Escape(c.Name), db.Escape(last)}, &row)
	if err != nil || row > 0 { // another process uses that one
		return err
	}
	return c.Values().Set(ctx, "model", c.ModelName)
}
