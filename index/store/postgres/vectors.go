package postgres

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/embed"
	"vademecum/index/blob"
	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/library"
)

// SaveVectors stores vectors of the named model, if they are worth storing, or of the model in use.
func (c *Catalog) SaveVectors(ctx context.Context, model string, vectors map[catalog.EmbeddingKey][]float32) error {
	if model == "" {
		return c.saveVectorsOf(ctx, c.ModelID, vectors)
	}
	if !embed.IsWorthStoring(model) {
		return nil
	}
	id, err := c.FindOrInsertModel(ctx, model)
	if err != nil {
		return db.ClassifyError(err)
	}
	return c.saveVectorsOf(ctx, id, vectors)
}

// saveVectorsOf locks the model: programs of two formats may write vectors concurrently, and the
// order of their rows must be that of the commits. Because of the lock, no other process can add a
// vector found missing, so that all of them can be copied in.
func (c *Catalog) saveVectorsOf(ctx context.Context, model int64, vectors map[catalog.EmbeddingKey][]float32) error {
	keys := slices.SortedFunc(maps.Keys(vectors), func(a, b catalog.EmbeddingKey) int { return bytes.Compare(a[:], b[:]) })
	c.saving.Lock()
	defer c.saving.Unlock()
	_, err := c.Transact(ctx, func(ctx context.Context, tx *library.WriteTx) error {
		missing, err := keysWithoutVector(ctx, tx, model, keys)
		if err != nil || len(missing) == 0 {
			return err
		}
		return copyIn(ctx, tx, "vectors", []string{"model", "text_key", "vector", "checksum"}, missing, func(key catalog.EmbeddingKey) []any {
			return []any{model, key[:], vectors[key], vectorChecksum(key, vectors[key])}
		})
	})
	return err
}

// lockModel prevents other transactions from writing vectors of a model.
const lockModel = "SELECT FROM vademecum.models WHERE id = $1 FOR UPDATE"

// keysWithoutVector locks a model, and lists the keys of the texts without a vector of it.
func keysWithoutVector(ctx context.Context, tx pgx.Tx, model int64, keys []catalog.EmbeddingKey) ([]catalog.EmbeddingKey, error) {
	there := make(map[catalog.EmbeddingKey]bool)
	var batch pgx.Batch
	batch.Queue(lockModel, model)
	batch.Queue("SELECT text_key FROM vademecum.vectors WHERE model = $1 AND text_key = ANY($2)", model, keyBytes(keys)).Query(func(rows pgx.Rows) error {
		var key []byte
		_, err := pgx.ForEachRow(rows, []any{&key}, func() error {
			if len(key) == len(catalog.EmbeddingKey{}) {
				there[catalog.EmbeddingKey(key)] = true
			}
			return nil
		})
		return err
	})
	err := tx.SendBatch(ctx, &batch).Close()
	return slices.DeleteFunc(slices.Clone(keys), func(key catalog.EmbeddingKey) bool { return there[key] }), err
}

func vectorChecksum(key catalog.EmbeddingKey, vector []float32) int64 {
	return int64(blob.Checksum(key[:], blob.AppendFloats(make([]byte, 0, 4*len(vector)), vector)))
}

// DeleteVectors deletes all vectors of the model in use.
func (c *Catalog) DeleteVectors(ctx context.Context) error {
	return c.deleteVectorsWhere(ctx, "v.model = $1", c.ModelID)
}

// deleteVectorsWhere deletes the vectors v of the model in use that meet the condition which. Building
// an index locks the model before the table, so the same order is used here, without a batch: all
// statements of a batch are parsed first, which locks their tables.
func (c *Catalog) deleteVectorsWhere(ctx context.Context, which string, args ...any) error {
	_, err := c.Transact(ctx, func(ctx context.Context, tx *library.WriteTx) error {
		if _, err := tx.Exec(ctx, lockModel, c.ModelID); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "DELETE FROM vademecum.vectors v WHERE "+which, args...)
		return err
	})
	return err
}

// VectorsSavedAfter returns the vectors of the model in use that were saved after the given row, and the
// row of the last one.
func (c *Catalog) VectorsSavedAfter(ctx context.Context, row int64) (map[catalog.EmbeddingKey][]float32, int64, error) {
	found, err := c.intactVectors(ctx, "row > $2", row)
	return found.vectors, max(row, found.last), err
}

// FindVectors returns the vectors of those texts that were embedded before.
func (c *Catalog) FindVectors(ctx context.Context, keys []catalog.EmbeddingKey) (map[catalog.EmbeddingKey][]float32, error) {
	found, err := c.intactVectors(ctx, "text_key = ANY($2)", keyBytes(keys))
	return found.vectors, err
}

func keyBytes(keys []catalog.EmbeddingKey) [][]byte {
	all := make([][]byte, len(keys))
	for i := range keys {
		all[i] = keys[i][:]
	}
	return all
}

// intactVectors returns the intact vectors that meet a condition. Passages with damaged ones count as
// having none, and are left to Repair.
func (c *Catalog) intactVectors(ctx context.Context, which string, args ...any) (found vectorRows, err error) {
	found, err = c.queryVectors(ctx, which, args...)
	c.recordSkipped(found)
	return found, err
}

// recordSkipped records whether vectors were damaged.
func (c *Catalog) recordSkipped(found vectorRows) {
	if len(found.damaged) > 0 {
		c.skipped.Add(1)
	}
}

// selectVectors begins a statement that reads vectors; $1 is the model.
const selectVectors = "SELECT text_key, row, vector, checksum FROM vademecum.vectors WHERE model = $1 AND "

// vectorRows are the rows of selectVectors.
type vectorRows struct {
	vectors map[catalog.EmbeddingKey][]float32
	last    int64   // greatest row, of all; 0 if there are none
	damaged []int64 // rows of damaged vectors
}

// queryVectors returns the vectors that meet a condition.
func (c *Catalog) queryVectors(ctx context.Context, which string, args ...any) (found vectorRows, err error) {
	err = c.Query(ctx, selectVectors+which, append([]any{c.ModelID}, args...), func(rows pgx.Rows) (err error) {
		found, err = scanVectors(rows)
		return err
	})
	return found, err
}

// scanVectors reads the rows of selectVectors.
func scanVectors(rows pgx.Rows) (found vectorRows, err error) {
	found.vectors = make(map[catalog.EmbeddingKey][]float32)
	var key []byte
	var vector []float32
	var row, checksum int64
	_, err = pgx.ForEachRow(rows, []any{&key, &row, &vector, &checksum}, func() error {
		found.last = max(found.last, row)
		if len(key) != len(catalog.EmbeddingKey{}) || vectorChecksum(catalog.EmbeddingKey(key), vector) != checksum {
			found.damaged = append(found.damaged, row)
			return nil
		}
		found.vectors[catalog.EmbeddingKey(key)] = vector // each row has its own slice
		return nil
	})
	return found, err
}

// LastVectorRow returns the row of the vector saved last, for any model.
func (c *Catalog) LastVectorRow(ctx context.Context) (row int64, err error) {
	err = c.QueryRow(ctx, `SELECT coalesce(max(v.row), 0) FROM vademecum.models m
		CROSS JOIN LATERAL (SELECT max(row) AS row FROM vademecum.vectors WHERE model = m.id) v WHERE m.library = $1`, []any{db.EscapeNUL(c.Name)}, &row)
	return row, err
}

// RecordRefusals records why the model in use refuses texts.
func (c *Catalog) RecordRefusals(ctx context.Context, reasons map[catalog.EmbeddingKey]string) error {
	now := time.Now().Unix()
	_, err := c.Transact(ctx, func(ctx context.Context, tx *library.WriteTx) error {
		var batch pgx.Batch
		for key, reason := range reasons {
			batch.Queue("INSERT INTO vademecum.refusals (model, text_key, reason, at) VALUES ($1, $2, $3, $4) ON CONFLICT (model, text_key) DO UPDATE SET reason = excluded.reason, at = excluded.at",
				c.ModelID, key[:], db.EscapeNUL(reason), now)
		}
		return tx.SendBatch(ctx, &batch).Close()
	})
	return err
}

// ClearRefusals deletes the recorded refusals.
func (c *Catalog) ClearRefusals(ctx context.Context) error {
	return c.Exec(ctx, "DELETE FROM vademecum.refusals WHERE model = $1", c.ModelID)
}
