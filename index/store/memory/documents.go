package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"vademecum/docs/text"
	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/packed"
)

// touch sets the fields that may change without replacing a document, with the precision of
// catalogues in files.
func (r *row) touch(by catalog.Record) {
	r.record.Size = by.Size
	r.record.Modified = catalog.TimeOfNanoseconds(catalog.Nanoseconds(by.Modified))
	r.record.ChangeTime = catalog.TimeOfNanoseconds(catalog.Nanoseconds(by.ChangeTime))
	r.record.ReadAt = catalog.TimeOfNanoseconds(catalog.Nanoseconds(by.ReadAt))
}

// unpack decodes the document in a row.
func (r *row) unpack() (catalog.Record, error) {
	record, rest := r.record, r.packed
	if err := rest.Unpack(&record); err != nil {
		return catalog.Record{}, fmt.Errorf("row %d: %w", record.ID, err)
	}
	return record, nil
}

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
				r.touch(by)
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

func (f *FolderContent) changesAfter(after int64) (d catalog.Delta, err error) {
	if d.LastChange = f.lastChange(); after == d.LastChange {
		return d, nil
	}
	if after < f.forgotten || after > f.lastChange() {
		d.MustReload = true
		return d, nil
	}
	rows := f.changes[after-f.forgotten:]
	rows = rows[:min(len(rows), catalog.PageRows)]
	d.LastChange = after + int64(len(rows))
	d.HasMore = d.LastChange < f.lastChange()
	for _, id := range slices.Compact(slices.Sorted(slices.Values(rows))) {
		r := f.rows[id]
		if r == nil {
			d.RemovedIDs = append(d.RemovedIDs, id)
			continue
		}
		record, err := r.unpack()
		if err != nil {
			return d, err
		}
		d.Records = append(d.Records, record)
	}
	return d, nil
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
	at := c.rows[id]
	if at == nil {
		return catalog.Record{}, nil
	}
	r, err := at.unpack()
	return r, c.recordDamage(err)
}

// LoadBodies returns the texts of documents by row.
func (c *Catalog) LoadBodies(_ context.Context, hashes map[int64][32]byte) (map[int64]text.Body, error) {
	defer c.lockForReading()()
	found := make(map[int64]text.Body, len(hashes))
	for id, hash := range hashes {
		r := c.rows[id]
		if r == nil || !r.packed.HasChunks {
			continue
		}
		parts, err := packed.ParseParts(r.parts)
		if err != nil || r.record.TextHash != hash {
			return nil, c.recordDamage(fmt.Errorf("the text of row %d: %w", id, catalog.ErrDamaged))
		}
		found[id] = text.Body{Text: r.text, Parts: parts}
	}
	return found, nil
}

// RowsWithText lists the rows of the documents that have a text.
func (c *Catalog) RowsWithText(context.Context) (ids []int64, err error) {
	defer c.lockForReading()()
	for id, r := range c.rows {
		if r.packed.HasChunks {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
