package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Embeddings cost time, and some money: what a damaged or lost catalogue holds
// of them is taken over by the next one.

const asideSuffix = ".damaged"

// setAside renames a damaged index, to be rescued from.
func setAside(file string) error {
	for _, suffix := range []string{"-shm", "-wal", snapshotSuffix} {
		to := file + asideSuffix + suffix
		if suffix == snapshotSuffix || suffix == "-shm" {
			to = ""
		}
		if err := moveAway(file+suffix, to); err != nil {
			return err
		}
	}
	return moveAway(file, file+asideSuffix)
}

// moveAway renames a file, or removes it when to is empty.
func moveAway(file, to string) (err error) {
	if to == "" {
		err = os.Remove(file)
	} else {
		err = os.Rename(file, to)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("move the damaged index away: %w", err)
	}
	return nil
}

// rescueAside takes over what a file that was set aside holds of vectors, and
// removes it.
func (c *catalogue) rescueAside(ctx context.Context) error {
	aside := c.file + asideSuffix
	if c.unsaved {
		aside = c.file // it cannot be written, but perhaps be read
	}
	if _, err := os.Stat(aside); err != nil {
		return nil // there is nothing to rescue
	}
	db, err := sql.Open("sqlite", dataSource(aside, []string{"query_only(1)"})+"&mode=ro")
	if err != nil {
		return err
	}
	_, err = c.rescue(ctx, db)
	if err := errors.Join(err, db.Close()); err != nil || c.unsaved {
		return err
	}
	return removeAll(aside, aside+"-wal", aside+"-shm")
}

func removeAll(files ...string) error {
	var errs []error
	for _, f := range files {
		if err := os.Remove(f); err != nil && !errors.Is(err, os.ErrNotExist) {
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
// whole: from the first row on as far as it goes, then from the last one back.
// The error is that of saving them.
func (c *catalogue) rescue(ctx context.Context, from *sql.DB) (n int, err error) {
	models, err := c.adoptModels(ctx, from)
	if err != nil || len(models) == 0 {
		return 0, err
	}
	seen := make(map[int64]bool)
	for _, order := range []string{"ASC", "DESC"} {
		rows, err := from.QueryContext(ctx, "SELECT id, model, text_key, vector FROM vectors ORDER BY id "+order)
		if err != nil {
			continue // that much is lost
		}
		found, err := c.rescueRows(ctx, rows, models, seen)
		if n += found; err != nil {
			return n, err
		}
	}
	return n, ctx.Err()
}

func (c *catalogue) rescueRows(ctx context.Context, rows *sql.Rows, models map[int64]int64, seen map[int64]bool) (n int, err error) {
	defer rows.Close()
	var batch []rescued
	for rows.Next() {
		var id, model int64
		var r rescued
		if rows.Scan(&id, &model, &r.key, &r.blob) != nil || seen[id] {
			break
		}
		seen[id] = true
		r.model = models[model]
		if r.model == 0 || len(r.key) != len(textKey{}) || !isUnit(decodeVector(r.blob)) {
			continue
		}
		if batch = append(batch, r); len(batch) < rescueBatch {
			continue
		}
		if err := c.saveRescued(ctx, batch); err != nil {
			return n, err
		}
		n += len(batch)
		batch = batch[:0]
	}
	return n + len(batch), c.saveRescued(ctx, batch)
}

func (c *catalogue) saveRescued(ctx context.Context, batch []rescued) error {
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
func (c *catalogue) adoptModels(ctx context.Context, from *sql.DB) (map[int64]int64, error) {
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
		if models[id], err = c.adoptModel(ctx, name); err != nil {
			return nil, err
		}
	}
	return models, nil
}

func (c *catalogue) adoptModel(ctx context.Context, name string) (id int64, err error) {
	err = c.transact(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO models (name) VALUES (?)", name); err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, "SELECT id FROM models WHERE name = ?", name).Scan(&id)
	})
	return id, err
}

// removeLeftovers deletes what processes that were killed have left beside a
// file. Only its indexer may, as it alone writes there.
func removeLeftovers(file string) error {
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return err
	}
	var files []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(file)+snapshotSuffix+temporary) {
			files = append(files, filepath.Join(filepath.Dir(file), e.Name()))
		}
	}
	return removeAll(files...)
}
