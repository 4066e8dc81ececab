package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/library"
	"vademecum/index/store/postgres/schema"
)

// Condition returns how often damage was skipped. For a database, errors report other damage, and it
// is repaired in place.
func (c *Catalog) Condition() catalog.Condition {
	return catalog.Condition{SkippedDamageCount: c.skipped.Load()}
}

// mostMended is the maximum number of documents that are read again one by one. If more are
// damaged, or more than one in mendedShare, all are read again.
const (
	mostMended  = 1000
	mendedShare = 4
)

// Repair reads everything that queries are answered from, and removes what differs from what was
// written: vectors, documents, or, if mayRemoveAll allows it, the library with everything but its
// vectors. A process that sees the files indexes them again, as if other processes had changed the
// library. Unless isDamageSuspected is set, it only counts rows, unless the counts differ.
func (c *Catalog) Repair(ctx context.Context, isDamageSuspected bool, mayRemoveAll func() bool) (catalog.RepairResult, error) {
	if !isDamageSuspected {
		if err := c.verifyCounts(ctx); !errors.Is(err, catalog.ErrDamaged) {
			return catalog.RepairResult{}, err
		}
	}
	if err := schema.CheckVersion(ctx, c.DB); err != nil {
		return catalog.RepairResult{}, err
	}
	if err := c.checkName(ctx); err != nil {
		return catalog.RepairResult{}, err
	}
	var done CheckResult
	found, err := c.verifyRows(ctx, &done)
	if err != nil {
		return catalog.RepairResult{}, err
	}
	damage := found.error()
	switch {
	case damage == nil:
		return c.mendBesideDocuments(ctx)
	case found.all == nil && len(found.documents) <= mostMended && mendedShare*len(found.documents) <= max(mendedShare, done.Documents):
		err = c.removeRows(ctx, slices.Collect(maps.Keys(found.documents)))
		return catalog.RepairResult{Damage: damage, RemovedDocuments: len(found.documents)}, err
	case !mayRemoveAll():
		return catalog.RepairResult{Damage: damage, RefusedToRemoveAll: true}, nil
	}
	return catalog.RepairResult{Damage: damage, RemovedAll: true}, c.removeLibrary(ctx)
}

// mendBesideDocuments repairs what does not belong to documents.
func (c *Catalog) mendBesideDocuments(ctx context.Context) (done catalog.RepairResult, err error) {
	if err = c.restoreModel(ctx); err == nil {
		done.RemovedVectors, err = c.mendVectors(ctx)
	}
	if err == nil {
		err = c.saveRowCounts(ctx)
	}
	if err == nil && done.RemovedVectors > 0 {
		done.Damage = fmt.Errorf("a vector: %w", catalog.ErrDamaged)
	}
	return done, err
}

// mendVectors removes the damaged vectors of the model in use, and returns how many. Their passages
// are embedded again.
func (c *Catalog) mendVectors(ctx context.Context) (removed int, err error) {
	err = c.eachVectorBatch(ctx, func(_ map[catalog.EmbeddingKey][]float32, damaged []int64) error {
		if len(damaged) == 0 {
			return nil
		}
		removed += len(damaged)
		return c.deleteVectorsWhere(ctx, "v.model = $1 AND v.row = ANY($2)", c.ModelID, damaged)
	})
	return removed, err
}

// Paths lists the paths of all documents with a stored text, damaged or not.
func (c *Catalog) Paths(ctx context.Context) (all []string, err error) {
	var one string
	err = c.QueryRows(ctx, "SELECT path FROM vademecum.documents WHERE library = $1 AND skip = ''", []any{c.ID},
		func() { all = all[:0] }, func() error { all = append(all, db.UnescapeNUL(one)); return nil }, &one)
	return all, err
}

// checkName returns an error if the library cannot be found by its name: it is as good as gone, and
// its owner is unknown.
func (c *Catalog) checkName(ctx context.Context) error {
	var right bool
	err := c.QueryRow(ctx, "SELECT EXISTS (SELECT FROM vademecum.libraries WHERE "+library.RowCondition+" AND name = $3 AND format = $4)",
		[]any{c.ID, c.TableIdentity, db.EscapeNUL(c.Name), catalog.FormatVersion}, &right)
	if err == nil && !right {
		err = db.ErrLibraryRemoved
	}
	return err
}

// removeRows removes documents by row, even if another process is the indexer. They cannot have
// been rewritten in the meantime, because a rewritten document has another row.
func (c *Catalog) removeRows(ctx context.Context, ids []int64) error {
	_, err := c.Transact(ctx, func(ctx context.Context, w *library.WriteTx) error {
		w.CountsAsForeign = true
		return c.deleteDocuments(ctx, w, "id = ANY($2)", ids)
	})
	if err != nil {
		return fmt.Errorf("remove what is damaged: %w", err)
	}
	return nil
}

// removeLibrary removes the library except for its vectors, however long that takes. It is then
// gone for all processes; the next process that opens it recreates it.
func (c *Catalog) removeLibrary(ctx context.Context) error {
	err := db.ClassifyError(c.DB.Retry(ctx, c.DB.RetryTimeout, mergeLimit, func(ctx context.Context) error {
		tx, err := c.DB.BeginTx(ctx, db.QuickTimeout, db.WithTimeouts("begin", mergeLimit, c.DB.RetryTimeout, db.DefaultRetryTimeout))
		if err != nil {
			return err
		}
		return c.DB.InTx(ctx, tx, func(ctx context.Context) error {
			var there bool
			err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM vademecum.libraries WHERE "+library.RowCondition+")", c.ID, c.TableIdentity).Scan(&there)
			if err == nil && !there { // another process was faster
				err = db.ErrLibraryRemoved
			}
			if err != nil {
				return err
			}
			// The condition is the number alone: if another process changes the row concurrently,
			// the table of the row (tableoid) is unknown when the trigger runs, and the row would
			// stay.
			if _, err := tx.Exec(ctx, "DELETE FROM vademecum.libraries WHERE id = $1", c.ID); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, "SELECT pg_notify($1, $2)", db.NotificationChannel, strconv.FormatInt(c.ID, 10)); err != nil {
				return err
			}
			return tx.Commit(ctx)
		})
	}))
	if err != nil && !errors.Is(err, catalog.ErrStorageRemoved) {
		return fmt.Errorf("remove the library, which is damaged: %w", err)
	}
	return nil
}

// restoreModel stores the model of the library again if it was lost: it is recorded nowhere else.
func (c *Catalog) restoreModel(ctx context.Context) error {
	var there bool
	err := c.QueryRow(ctx, "SELECT EXISTS (SELECT FROM vademecum.models WHERE id = $1 AND library = $2 AND name = $3)", []any{c.ModelID, db.EscapeNUL(c.Name), db.EscapeNUL(c.ModelName)}, &there)
	if err == nil && !there {
		err = db.ErrLibraryRemoved
	}
	if err != nil {
		return err
	}
	last, err := c.Value(ctx, "model")
	if err != nil || last == c.ModelName || c.KeptModel != "" {
		return err
	}
	row := int64(0)
	err = c.QueryRow(ctx, "SELECT count(*) FROM vademecum.models WHERE library = $1 AND name = $2", []any{db.EscapeNUL(c.Name), db.EscapeNUL(last)}, &row)
	if err != nil || row > 0 { // another process uses that model
		return err
	}
	return c.SetValue(ctx, "model", c.ModelName)
}
