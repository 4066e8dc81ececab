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
	"vademecum/index/catalog"
)

// Embeddings cost time, and some money: what a damaged or lost catalogue holds
// of them is taken over by the next one.

const asideSuffix = ".damaged"

// setAside renames a damaged index, to be rescued from, unless another file is
// in its place already.
func setAside(ctx context.Context, file string, damaged os.FileInfo) error {
	defer passGate(ctx, file, (*flock.Flock).TryLock)()
	now, err := os.Stat(file)
	if errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(now, damaged) {
		return nil
	}
	if _, err := os.Stat(file + asideSuffix); err != nil {
		_ = os.Remove(file + asideSuffix + "-wal") // it is of another file
	}
	for _, suffix := range []string{"-wal", ""} {
		if err := os.Rename(file+suffix, file+asideSuffix+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("move the damaged index away: %w", err)
		}
	}
	return removeAll(file + "-shm")
}

// rescueAside takes over what a file that was set aside holds of vectors, and
// removes it. Of a file in whose place the catalogue is kept in memory it only
// takes.
func (c *Catalog) rescueAside(ctx context.Context) error {
	if c.file == "" {
		return nil
	}
	aside := c.file + asideSuffix
	if c.unsaved {
		return errors.Join(c.rescueFile(ctx, c.file), c.rescueFile(ctx, aside))
	}
	if err := c.rescueFile(ctx, aside); err != nil {
		return err
	}
	return removeAll(aside, aside+"-wal", aside+"-shm")
}

// rescueFile takes over the vectors in a file, if there is one. Without a place
// for its log beside it a file can only be read as one that nobody changes.
func (c *Catalog) rescueFile(ctx context.Context, file string) error {
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
			n, err = c.rescue(ctx, db)
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

// rescued is a vector that was taken from another catalogue.
type rescued struct {
	model int64
	key   []byte
	blob  []byte
}

// rescueBatch is how many vectors are saved at once.
const rescueBatch = 500

// rescue copies the vectors of another database that can be read and are
// whole, and returns how many. The error is that of saving them.
func (c *Catalog) rescue(ctx context.Context, from *sql.DB) (n int, err error) {
	models, err := c.adoptModels(ctx, from)
	if err != nil || len(models) == 0 {
		return 0, err
	}
	last := int64(1) << 40
	_ = from.QueryRowContext(ctx, "SELECT max(id) FROM vectors").Scan(&last) // or look further than there are any
	for after, step := int64(0), int64(1); after < last && ctx.Err() == nil; {
		reached, found, err := c.rescueAfter(ctx, from, after, last, models)
		if n += found; err != nil {
			return n, err
		}
		if reached > after {
			after, step = reached, 1
			continue
		}
		after, step = after+step, 2*step // over what cannot be read
	}
	return n, ctx.Err()
}

// TakeVectors takes over the vectors of another catalogue that can be read.
func (c *Catalog) TakeVectors(ctx context.Context, from *Catalog) error {
	_, err := c.rescue(ctx, from.write)
	return err
}

// rescueAfter copies the vectors that follow a row, as far as they can be read,
// and returns the last row seen.
func (c *Catalog) rescueAfter(ctx context.Context, from *sql.DB, after, last int64, models map[int64]int64) (reached int64, n int, err error) {
	rows, err := from.QueryContext(ctx, "SELECT id, model, text_key, vector FROM vectors WHERE id > ? ORDER BY id", after)
	if err != nil {
		return after, 0, nil // that much is lost
	}
	defer rows.Close()
	reached = after
	var batch []rescued
	for rows.Next() {
		var id, model int64
		var r rescued
		if rows.Scan(&id, &model, &r.key, &r.blob) != nil {
			continue
		}
		if id > reached && id <= last {
			reached = id
		}
		r.model = models[model]
		if _, ok := unsealVector(r.key, r.blob); !ok || r.model == 0 {
			continue
		}
		if batch = append(batch, r); len(batch) < rescueBatch {
			continue
		}
		if err := c.saveRescued(ctx, batch); err != nil {
			return reached, n, err
		}
		n += len(batch)
		batch = batch[:0]
	}
	if rows.Err() == nil && ctx.Err() == nil {
		reached = last
	}
	return reached, n + len(batch), c.saveRescued(ctx, batch)
}

func (c *Catalog) saveRescued(ctx context.Context, batch []rescued) error {
	return c.transact(ctx, func(tx *sql.Tx) error {
		for _, r := range batch {
			_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO vectors (model, text_key, vector) VALUES (?, ?, ?)", r.model, r.key, r.blob)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// adoptModels gives the models of another database rows in this one. What
// cannot be read there is lost, and no error.
func (c *Catalog) adoptModels(ctx context.Context, from *sql.DB) (map[int64]int64, error) {
	rows, err := from.QueryContext(ctx, "SELECT id, name FROM models")
	if err != nil {
		return nil, nil
	}
	defer rows.Close()
	models := make(map[int64]int64)
	for rows.Next() {
		var id int64
		var name string
		if rows.Scan(&id, &name) != nil {
			break
		}
		if !embed.IsStored(name) {
			continue
		}
		if models[id], err = c.adoptModel(ctx, name); err != nil {
			return nil, err
		}
	}
	return models, nil
}

func (c *Catalog) adoptModel(ctx context.Context, name string) (id int64, err error) {
	err = c.transact(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO models (name) VALUES (?)", name); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, "SELECT id FROM models WHERE name = ?", name).Scan(&id)
	})
	return id, err
}

// Keep saves vectors of a model, if they are worth it.
func (c vectors) Keep(ctx context.Context, model string, vectors map[catalog.Key][]float32) error {
	if !embed.IsStored(model) {
		return nil
	}
	id, err := c.adoptModel(ctx, model)
	if err != nil {
		return err
	}
	batch := make([]rescued, 0, rescueBatch)
	for key, vec := range vectors {
		if batch = append(batch, rescued{id, key[:], sealVector(key, vec)}); len(batch) < rescueBatch {
			continue
		}
		if err := c.saveRescued(ctx, batch); err != nil {
			return err
		}
		batch = batch[:0]
	}
	return c.saveRescued(ctx, batch)
}
