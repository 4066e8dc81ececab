// Package memory stores the catalogue of a folder in the memory of this process, for use if the
// disk rejects it, and for tests. It stores everything as encoded rows, so that callers cannot
// change it. It is lost when the process ends.
package memory

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"vademecum/index/store/catalog"
	"vademecum/index/store/catalog/packed"
)

// FolderContent is the stored content of one folder. Several catalogues may have it open at once.
type FolderContent struct {
	mu        sync.RWMutex // only held briefly
	commits   int64        // number of commits by all catalogues of the folder
	lastRow   int64
	rows      map[int64]*packed.Document
	byPath    map[string]int64
	forgotten int64   // number of changes that are no longer listed
	changes   []int64 // rows of the changes that are still listed

	lastModel  string
	models     map[string]*model
	lastVector int64

	values map[string]string
}

// NewFolderContent returns an empty folder.
func NewFolderContent() *FolderContent {
	return &FolderContent{
		rows: make(map[int64]*packed.Document), byPath: make(map[string]int64), models: make(map[string]*model),
		values: make(map[string]string),
	}
}

// Catalog is a folder opened with a model.
type Catalog struct {
	*FolderContent
	model string
	used  *model // data of the model in use
	file  string // the file that it replaces; "" if it replaces none
	why   error  // why it replaces the file; nil if it replaces none

	own    int64 // number of its own commits; guarded by the lock of the folder
	damage atomic.Pointer[error]
}

var _ catalog.Catalog = (*Catalog)(nil)

// Open opens a folder with a model. It returns the previous model if that is a different one.
func (f *FolderContent) Open(model string) (c *Catalog, previous string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lastModel != model {
		previous, f.lastModel = f.lastModel, model
	}
	return &Catalog{FolderContent: f, model: model, used: f.modelNamed(model)}, previous
}

// NewFileReplacement returns an empty catalogue that is used in place of a file, for the given reason.
func NewFileReplacement(file, model string, reason error) *Catalog {
	c, _ := NewFolderContent().Open(model)
	c.file, c.why = file, reason
	return c
}

// CopyCatalog returns a copy of a catalogue with the same rows, without its changes,
// values and vectors; reason says why the copy replaces it. last is the last change in the copy, or
// -1 if other processes changed something meanwhile.
func CopyCatalog(ctx context.Context, from catalog.Catalog, model string, reason error) (c *Catalog, last int64, err error) {
	before, err := from.Changes(ctx, catalog.NoKnownChange)
	if err != nil {
		return nil, 0, err
	}
	c = NewFileReplacement(from.Describe().File, model, reason)
	err = from.EachPage(ctx, func(page []catalog.Record) error {
		hashes := make(map[int64][32]byte, len(page))
		for _, r := range page {
			if r.SkipReason == "" {
				hashes[r.ID] = r.TextHash
			}
		}
		bodies, err := from.LoadBodies(ctx, hashes)
		if err != nil {
			return err
		}
		for _, r := range page {
			body, there := bodies[r.ID]
			if !there && r.SkipReason == "" {
				return fmt.Errorf("the text of %s: %w", r.Path, catalog.ErrDamaged)
			}
			c.putRow(r.ID, catalog.RecordWithBody{Record: r, Body: body})
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	after, err := from.Changes(ctx, catalog.NoKnownChange)
	if last = after.LastChange; last != before.LastChange {
		last = -1
	}
	return c, last, err
}

// Describe returns the model, and the path of the file that it replaces and the reason, if it
// replaces one.
func (c *Catalog) Describe() catalog.Description {
	return catalog.Description{Model: c.model, File: c.file, UnsavedReason: c.why}
}

// Flush does nothing, because there is no disk.
func (c *Catalog) Flush() error { return nil }

// Close does nothing, because other catalogues may have the folder open.
func (c *Catalog) Close() error { return nil }

// commit runs f as one commit, and returns the numbers of the changes that f added.
func (c *Catalog) commit(ctx context.Context, f func(w *catalog.CommitResult) error) (w catalog.CommitResult, err error) {
	if err := ctx.Err(); err != nil {
		return w, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.lastChange()
	if err := f(&w); err != nil {
		return catalog.CommitResult{}, err
	}
	if now := c.lastChange(); now > before {
		w.FirstChange, w.LastChange = before+1, now
	}
	if n := w.LastForgottenChange() - c.forgotten; n > 0 {
		c.changes = slices.Clone(c.changes[n:])
		c.forgotten += n
	}
	c.commits++
	c.own++
	return w, nil
}

// commitOther commits a change of data other than documents: it calls f with the lock held. It fails only if
// ctx has ended.
func (c *Catalog) commitOther(ctx context.Context, f func()) error {
	_, err := c.commit(ctx, func(*catalog.CommitResult) error { f(); return nil })
	return err
}

// lockForReading prevents writes until the returned function is called.
func (f *FolderContent) lockForReading() (done func()) {
	f.mu.RLock()
	return f.mu.RUnlock
}

// lastChange returns the number of the last change.
func (f *FolderContent) lastChange() int64 { return f.forgotten + int64(len(f.changes)) }

// putRow stores a document in an unused row.
func (f *FolderContent) putRow(id int64, e catalog.RecordWithBody) {
	d := packed.Pack(id, &e)
	f.rows[id], f.byPath[e.Path] = &d, id
	f.lastRow = max(f.lastRow, id)
}
