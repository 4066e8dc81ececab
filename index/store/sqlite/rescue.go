package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/gofrs/flock"

	"vademecum/embed"
	"vademecum/index/store/catalog"
)

// Computing embeddings takes time, and in some cases money: the vectors of a damaged or lost
// catalogue are recovered into the one that replaces it.

const asideSuffix = ".damaged"

// setAside renames a damaged index, from which vectors are to be recovered, unless another file has
// already replaced it.
func setAside(ctx context.Context, file string, damaged os.FileInfo) error {
	defer lockOpening(ctx, file, (*flock.Flock).TryLock)()
	now, err := os.Stat(file)
	if errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(now, damaged) {
		return nil
	}
	if _, err := os.Stat(file + asideSuffix); err != nil {
		_ = os.Remove(file + asideSuffix + "-wal") // belongs to another file
	}
	for _, suffix := range []string{"-wal", ""} {
		if err := os.Rename(file+suffix, file+asideSuffix+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("move the damaged index away: %w", err)
		}
	}
	return removeAll(file + "-shm")
}

// rescueAside recovers the vectors of a file that was renamed, and removes the file.
func (c *Catalog) rescueAside(ctx context.Context) error {
	aside := c.file + asideSuffix
	if err := rescueFile(ctx, aside, c.SaveVectors); err != nil {
		return err
	}
	return removeAll(aside, aside+"-wal", aside+"-shm")
}

// SaveVectorsFunc is a function that saves vectors of the named model.
type SaveVectorsFunc func(ctx context.Context, model string, vectors map[catalog.EmbeddingKey][]float32) error

// RecoverVectors calls save with the vectors in a file, and with those in the damaged file that was
// set aside for it.
func RecoverVectors(ctx context.Context, file string, save SaveVectorsFunc) error {
	if file == "" {
		return nil
	}
	return errors.Join(rescueFile(ctx, file, save), rescueFile(ctx, file+asideSuffix, save))
}

// rescueFile calls save with the vectors in a file, if there is one. If its log cannot be created
// next to it, a file can only be read in immutable mode.
func rescueFile(ctx context.Context, file string, save SaveVectorsFunc) error {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return nil // there is nothing to rescue
	}
	for _, way := range []string{"&mode=ro", "&mode=ro&immutable=1"} {
		db, err := sql.Open("sqlite", dataSource(file, []string{"trusted_schema(0)", "query_only(1)"})+way)
		if err != nil {
			return err
		}
		var n int
		if checkSchema(ctx, db) == nil {
			n, err = rescueFrom(ctx, db, save)
		}
		_ = db.Close() // nothing was written
		if err != nil || n > 0 {
			return err
		}
	}
	return nil
}

func removeAll(files ...string) error {
	var errs []error
	for _, f := range files {
		if err := os.Remove(f); err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ENAMETOOLONG) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// rescueBatch is how many vectors are saved in one transaction.
const rescueBatch = 500

// rescueFrom calls save with the readable and intact vectors of a database, and returns their
// number. The error is that of save.
func rescueFrom(ctx context.Context, from *sql.DB, save SaveVectorsFunc) (n int, err error) {
	models := modelsIn(ctx, from)
	if len(models) == 0 {
		return 0, nil
	}
	last := int64(1) << 40
	// on error, look far beyond any row
	_ = from.QueryRowContext(ctx, "SELECT max(id) FROM vectors").Scan(&last)
	for after, step := int64(0), int64(1); after < last && ctx.Err() == nil; {
		reached, found, err := rescueAfter(ctx, from, after, last, models, save)
		if n += found; err != nil {
			return n, err
		}
		if reached > after {
			after, step = reached, 1
			continue
		}
		after, step = after+step, 2*step // skips what cannot be read
	}
	return n, ctx.Err()
}

// ExportVectors calls save with the readable vectors of all models.
func (c *Catalog) ExportVectors(ctx context.Context, save SaveVectorsFunc) error {
	_, err := rescueFrom(ctx, c.write, save)
	return err
}

// vectorBatches collects vectors by model until there are enough for a batch.
type vectorBatches map[string]map[catalog.EmbeddingKey][]float32

// addVector adds a vector, and calls save if the batch is full.
func (b vectorBatches) addVector(ctx context.Context, model string, key catalog.EmbeddingKey, vec []float32, save SaveVectorsFunc) error {
	if b[model] == nil {
		b[model] = make(map[catalog.EmbeddingKey][]float32)
	}
	if b[model][key] = vec; len(b[model]) < rescueBatch {
		return nil
	}
	some := b[model]
	b[model] = nil
	return save(ctx, model, some)
}

// flush calls save with the remaining vectors.
func (b vectorBatches) flush(ctx context.Context, save SaveVectorsFunc) error {
	for model, some := range b {
		if len(some) == 0 {
			continue
		}
		if err := save(ctx, model, some); err != nil {
			return err
		}
	}
	return nil
}

// rescueAfter calls save with the readable vectors after a row. It returns the last row seen, or
// last at the end of the table, and the number of vectors.
func rescueAfter(ctx context.Context, from *sql.DB, after, last int64, models map[int64]string, save SaveVectorsFunc) (reached int64, n int, err error) {
	rows, err := from.QueryContext(ctx, "SELECT id, model, text_key, vector FROM vectors WHERE id > ? ORDER BY id", after)
	if err != nil {
		return after, 0, nil // that part is lost
	}
	defer rows.Close()
	reached = after
	found := make(vectorBatches)
	for rows.Next() {
		var id, model int64
		var key, sealed []byte
		if rows.Scan(&id, &model, &key, &sealed) != nil {
			continue
		}
		if id > reached && id <= last {
			reached = id
		}
		vec, ok := decodeVector(key, sealed)
		if !ok || models[model] == "" {
			continue
		}
		if err := found.addVector(ctx, models[model], catalog.EmbeddingKey(key), vec, save); err != nil {
			return reached, n, err
		}
		n++
	}
	if rows.Err() == nil && ctx.Err() == nil {
		reached = last
	}
	return reached, n, found.flush(ctx, save)
}

// modelsIn returns the names of the models in a database whose vectors are worth storing, by row.
// Models that cannot be read are lost.
func modelsIn(ctx context.Context, from *sql.DB) map[int64]string {
	models := make(map[int64]string)
	rows, err := from.QueryContext(ctx, "SELECT id, name FROM models")
	if err != nil {
		return models
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var name string
		if rows.Scan(&id, &name) != nil {
			break
		}
		if embed.IsWorthStoring(name) {
			models[id] = name
		}
	}
	return models
}

// EachValue calls f with each key and its value.
func (c *Catalog) EachValue(ctx context.Context, f func(key, value string) error) error {
	return c.eachValue(ctx, f, "SELECT key, value FROM meta")
}

// eachValue calls f with each key and value that a statement selects.
func (c *Catalog) eachValue(ctx context.Context, f func(key, value string) error, statement string, args ...any) error {
	rows, err := c.read.QueryContext(ctx, statement, args...)
	if err != nil {
		return c.recordError(err)
	}
	defer rows.Close()
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return c.recordError(err)
		}
		if err := f(key, value); err != nil {
			return err
		}
	}
	return c.recordError(rows.Err())
}
