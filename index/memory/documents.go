package memory

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"vademecum/docs/text"
	"vademecum/index/catalog"
	"vademecum/index/catalog/packed"
)

// keepChanges is how many changes stay listed for who is behind.
const keepChanges = 10_000

// touch sets what may change of a document while it is the same, as precisely as files do.
func (r *row) touch(by catalog.Record) {
	r.record.Size = by.Size
	r.record.Modified = catalog.TimeOf(catalog.Nanoseconds(by.Modified))
	r.record.Changed = catalog.TimeOf(catalog.Nanoseconds(by.Changed))
	r.record.ReadAt = catalog.TimeOf(catalog.Nanoseconds(by.ReadAt))
}

// unpack is the document in a row.
func (r *row) unpack() (catalog.Record, error) {
	record, rest := r.record, r.packed
	if err := rest.Unpack(&record); err != nil {
		return catalog.Record{}, fmt.Errorf("row %d: %w", record.ID, err)
	}
	return record, nil
}

// delete removes the document at a path, if there is one. The caller holds mu for writing.
func (f *Folder) delete(path string) {
	id, there := f.byPath[path]
	if !there {
		return
	}
	delete(f.byPath, path)
	delete(f.rows, id)
	f.changes = append(f.changes, id)
}

// Put replaces the documents at the paths of entries.
func (c *Catalog) Put(ctx context.Context, entries ...catalog.Entry) (catalog.Written, error) {
	w, err := c.commit(ctx, func(w *catalog.Written) error {
		for _, e := range entries {
			c.delete(e.Path)
			c.keep(c.lastRow+1, e)
			c.changes = append(c.changes, c.lastRow)
			w.IDs = append(w.IDs, c.lastRow)
		}
		return nil
	})
	if err != nil {
		return w, fmt.Errorf("save documents: %w", err)
	}
	return w, nil
}

// Remove forgets the documents at paths; their vectors stay until Prune.
func (c *Catalog) Remove(ctx context.Context, paths ...string) (catalog.Written, error) {
	w, err := c.commit(ctx, func(*catalog.Written) error {
		for _, p := range paths {
			c.delete(p)
		}
		return nil
	})
	if err != nil {
		return w, fmt.Errorf("remove documents: %w", err)
	}
	return w, nil
}

// Touch notes that files were read and found as they were.
func (c *Catalog) Touch(ctx context.Context, touched []catalog.Record) (catalog.Written, error) {
	w, err := c.commit(ctx, func(*catalog.Written) error {
		for _, by := range touched {
			if r := c.rows[by.ID]; r != nil {
				r.touch(by)
			}
			c.changes = append(c.changes, by.ID)
		}
		return nil
	})
	if err != nil {
		return w, fmt.Errorf("save times of files: %w", err)
	}
	return w, nil
}

// Tidy does nothing: memory is as quick to read after each commit.
func (c *Catalog) Tidy(context.Context) error { return nil }

// Version is how often others have committed.
func (c *Catalog) Version(context.Context) (int64, error) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.commits - c.own, nil
}

// LastChange is the number of the last change.
func (c *Catalog) LastChange(ctx context.Context) (number int64, err error) {
	err = c.read(ctx, func() { number = c.last() })
	return number, err
}

// Changes lists what has changed after a change, at one moment.
func (c *Catalog) Changes(ctx context.Context, after int64) (d catalog.Delta, err error) {
	var failed error
	err = c.read(ctx, func() { d, failed = c.since(after) })
	return d, c.note(cmp.Or(err, failed))
}

func (f *Folder) since(after int64) (d catalog.Delta, err error) {
	if d.Last = after; after == f.last() {
		return d, nil
	}
	if after < f.forgotten || after > f.last() {
		d.Reset = true
		return d, nil
	}
	rows := f.changes[after-f.forgotten:]
	rows = rows[:min(len(rows), catalog.PageRows)]
	d.Last += int64(len(rows))
	d.More = d.Last < f.last()
	for _, id := range slices.Compact(slices.Sorted(slices.Values(rows))) {
		r := f.rows[id]
		if r == nil {
			d.Gone = append(d.Gone, id)
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

// ForgetChanges drops the oldest changes up to a number.
func (c *Catalog) ForgetChanges(ctx context.Context, number int64) error {
	return c.set(ctx, func() {
		if n := min(number-keepChanges-c.forgotten, int64(len(c.changes))); n > 0 {
			c.changes = slices.Clone(c.changes[n:])
			c.forgotten += n
		}
	})
}

// EachPage lists all documents that there are now, in the order of their rows.
func (c *Catalog) EachPage(ctx context.Context, f func(page []catalog.Record) error) error {
	var ids []int64
	if err := c.read(ctx, func() { ids = slices.Sorted(maps.Keys(c.rows)) }); err != nil {
		return err
	}
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

// Record is the document of a row.
func (c *Catalog) Record(ctx context.Context, id int64) (r catalog.Record, err error) {
	var failed error
	err = c.read(ctx, func() {
		if at := c.rows[id]; at != nil {
			r, failed = at.unpack()
		}
	})
	return r, c.note(cmp.Or(err, failed))
}

// Bodies are the texts of documents by their rows.
func (c *Catalog) Bodies(ctx context.Context, hashes map[int64][32]byte) (map[int64]text.Body, error) {
	found := make(map[int64]text.Body, len(hashes))
	var failed error
	err := c.read(ctx, func() {
		for id, hash := range hashes {
			r := c.rows[id]
			if r == nil || !r.packed.HasChunks {
				continue
			}
			parts, err := packed.ParseParts(r.parts)
			if err != nil || r.record.TextHash != hash {
				failed = fmt.Errorf("the text of row %d: %w", id, catalog.ErrDamaged)
				continue
			}
			found[id] = text.Body{Text: r.text, Parts: parts}
		}
	})
	if err := cmp.Or(err, failed); err != nil {
		return nil, c.note(err)
	}
	return found, nil
}

// WithText lists the rows of the documents that have a text.
func (c *Catalog) WithText(ctx context.Context) (ids []int64, err error) {
	err = c.read(ctx, func() {
		for id, r := range c.rows {
			if r.packed.HasChunks {
				ids = append(ids, id)
			}
		}
	})
	return ids, err
}
