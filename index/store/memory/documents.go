package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"vademecum/docs/text"
	"vademecum/index/store/catalog"
)

// delete removes the document at a path, if it exists. The caller must hold mu for writing.
func (f *FolderContent) delete(path string) {
	id, there := f.byPath[path]
	if !there {
		return
	}
	delete(f.byPath, path)
	delete(f.rows, id)
	f.changes = append(f.changes, id)
}

// Put replaces the documents at the paths of entries.
func (c *Catalog) Put(ctx context.Context, entries ...catalog.RecordWithBody) (catalog.CommitResult, error) {
	return c.commit(ctx, func(w *catalog.CommitResult) error {
		for _, e := range entries {
			c.delete(e.Path)
			c.putRow(c.lastRow+1, e)
			c.changes = append(c.changes, c.lastRow)
			w.IDs = append(w.IDs, c.lastRow)
		}
		return nil
	})
}

// Remove removes the documents at paths. Their vectors stay until PruneVectors.
func (c *Catalog) Remove(ctx context.Context, paths ...string) (catalog.CommitResult, error) {
	return c.commit(ctx, func(*catalog.CommitResult) error {
		for _, p := range paths {
			c.delete(p)
		}
		return nil
	})
}

// Touch records the new size and times of files whose content is unchanged.
func (c *Catalog) Touch(ctx context.Context, touched []catalog.Record) (catalog.CommitResult, error) {
	return c.commit(ctx, func(*catalog.CommitResult) error {
		for _, by := range touched {
			if r := c.rows[by.ID]; r != nil {
				r.Touch(&by)
			}
			c.changes = append(c.changes, by.ID)
		}
		return nil
	})
}

// ForeignVersion returns the number of commits by other catalogues of the folder.
func (c *Catalog) ForeignVersion(context.Context) (int64, error) {
	defer c.lockForReading()()
	return c.commits - c.own, nil
}

// Changes lists the changes after the given one, consistently.
func (c *Catalog) Changes(_ context.Context, after int64) (catalog.Delta, error) {
	defer c.lockForReading()()
	d, err := c.changesAfter(after)
	return d, c.recordDamage(err)
}

func (f *FolderContent) changesAfter(after int64) (catalog.Delta, error) {
	var listed []catalog.Change
	for n := max(after, f.forgotten) + 1; n <= f.lastChange() && len(listed) < catalog.PageRows; n++ {
		listed = append(listed, catalog.Change{Number: n, Row: f.changes[n-f.forgotten-1]})
	}
	return catalog.NewDelta(after, f.lastChange(), listed, f.record)
}

// record decodes the document in a row. Its ID is 0 if the row does not exist.
func (f *FolderContent) record(id int64) (r catalog.Record, err error) {
	if d := f.rows[id]; d != nil {
		if r, err = d.Record(); err != nil {
			err = fmt.Errorf("row %d: %w", id, err)
		}
	}
	return r, err
}

// EachPage calls f with all current documents, in row order.
func (c *Catalog) EachPage(ctx context.Context, f func(page []catalog.Record) error) error {
	done := c.lockForReading()
	ids := slices.Sorted(maps.Keys(c.rows))
	done()
	for some := range slices.Chunk(ids, catalog.PageRows) {
		page := make([]catalog.Record, 0, len(some))
		for _, id := range some {
			r, err := c.Record(ctx, id)
			if err != nil {
				return err
			}
			if r.ID != 0 {
				page = append(page, r)
			}
		}
		if len(page) == 0 {
			continue
		}
		if err := f(page); err != nil {
			return err
		}
	}
	return nil
}

// Record returns the document in a row.
func (c *Catalog) Record(_ context.Context, id int64) (catalog.Record, error) {
	defer c.lockForReading()()
	r, err := c.record(id)
	return r, c.recordDamage(err)
}

// LoadBodies returns the texts of documents by row.
func (c *Catalog) LoadBodies(_ context.Context, hashes map[int64][32]byte) (map[int64]text.Body, error) {
	defer c.lockForReading()()
	found := make(map[int64]text.Body, len(hashes))
	for id, hash := range hashes {
		d := c.rows[id]
		if d == nil || !d.Row.HasChunks {
			continue
		}
		body, err := d.Body(hash)
		if err != nil {
			return nil, c.recordDamage(fmt.Errorf("the text of row %d: %w", id, err))
		}
		found[id] = body
	}
	return found, nil
}

// RowsWithText lists the rows of the documents that have a text.
func (c *Catalog) RowsWithText(context.Context) (ids []int64, err error) {
	defer c.lockForReading()()
	for id, r := range c.rows {
		if r.Row.HasChunks {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
