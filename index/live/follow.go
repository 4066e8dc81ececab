package live

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// Follow loads the commits of other processes to a folder's catalogue, and reports whether there
// were any.
func (st *Store) Follow(ctx context.Context, folder int) (changed bool, err error) {
	f := st.Follower(folder)
	if f == nil { // the folder is still being loaded
		return false, nil
	}
	if err := f.order.lockContext(ctx); err != nil {
		return false, fmt.Errorf("wait for what is being written: %w", err)
	}
	defer f.order.Unlock()
	if f.IsBeingReplaced() {
		return false, nil
	}
	version, err := f.ForeignVersion(ctx)
	if err != nil || version == f.seen && !f.again {
		return false, err
	}
	f.seen, f.again = version, false
	return true, f.RecordDamage(st.catchUp(ctx, folder, f))
}

// catchUp brings a folder in memory up to date with its catalogue. It adds new documents before it
// removes those that they replace, so that no document disappears in between. The caller must hold
// f.order.
func (st *Store) catchUp(ctx context.Context, folder int, f *Follower) error {
	at, more := f.LastFollowedChange(), true
	var gone []int64
	for more {
		d, err := f.Changes(ctx, at)
		if err == nil && d.MustReload {
			d.RemovedIDs, err = st.readAll(ctx, folder, f, false)
		}
		if err == nil {
			err = st.takeRecords(ctx, folder, f, d.Records, st.rowsInMemory(folder, d.Records), nil)
		}
		if err != nil {
			return fmt.Errorf("read what changed in %s: %w", f.Describe().File, err)
		}
		gone = append(gone, d.RemovedIDs...)
		at, more = d.LastChange, d.HasMore
	}
	st.forgetRows(folder, gone)
	if at != f.LastFollowedChange() {
		f.foreign.Store(true)
	}
	err := st.FollowVectors(ctx, folder, f)
	f.followed.Store(at) // last: its readers assume that all earlier vectors are known
	return err
}

// readAll loads all documents of a catalogue with their saved vectors, which it reads in one go if
// all documents are new. It returns the rows in memory that the catalogue no longer has.
func (st *Store) readAll(ctx context.Context, folder int, f *Follower, allNew bool) (gone []int64, err error) {
	have := make(map[int64]bool)
	for _, d := range st.DocumentsIn(folder, AnyPath) {
		have[d.ID] = true
	}
	paths := make(map[string]bool, catalog.PageRows)
	var vectors map[catalog.EmbeddingKey][]float32
	err = f.EachPage(ctx, func(page []catalog.Record) error {
		clear(paths)
		for i := range page { // documents may move between pages meanwhile
			if paths[page[i].Path] {
				return f.RecordDamage(fmt.Errorf("%s is there twice: %w", page[i].Path, catalog.ErrDamaged))
			}
			paths[page[i].Path] = true
		}
		if allNew && vectors == nil && slices.ContainsFunc(page, func(r catalog.Record) bool { return len(r.Chunks) > 0 }) {
			if vectors, err = st.allVectors(ctx, f); err != nil {
				return err
			}
		}
		if err := st.takeRecords(ctx, folder, f, page, have, vectors); err != nil {
			return err
		}
		for i := range page {
			delete(have, page[i].ID)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return slices.Collect(maps.Keys(have)), nil
}

// allVectors returns all saved vectors, if vectors of the model are saved.
func (st *Store) allVectors(ctx context.Context, f *Follower) (vectors map[catalog.EmbeddingKey][]float32, err error) {
	if !st.ModelProperties.IsWorthStoring() {
		return make(map[catalog.EmbeddingKey][]float32), nil
	}
	vectors, f.vector, err = f.VectorsSavedAfter(ctx, 0)
	return vectors, err
}

// takeRecords brings documents of a folder in memory up to date with records. have is the set of rows
// that are already in memory. If vectors is nil, it looks up the saved vectors.
func (st *Store) takeRecords(ctx context.Context, folder int, f *Follower, records []catalog.Record, have map[int64]bool, vectors map[catalog.EmbeddingKey][]float32) (err error) {
	for _, r := range records {
		if have[r.ID] {
			st.TouchInMemory(folder, []catalog.Record{r})
			continue
		}
		known := vectors
		if known == nil {
			if known, err = st.SavedVectors(ctx, folder, EmbeddingKeysOf(r.Chunks)); err != nil {
				return err
			}
		}
		if err := st.takeRecord(folder, f, r, known); err != nil {
			return err
		}
	}
	return nil
}

// rowsInMemory reports, for each record, whether its document is in memory.
func (st *Store) rowsInMemory(folder int, records []catalog.Record) map[int64]bool {
	found := make(map[int64]bool, len(records))
	if len(records) == 0 {
		return found
	}
	for _, r := range records {
		found[r.ID] = false
	}
	st.ReadLocked(func(docs *Documents) {
		for d := range docs.InFolder(folder) {
			if _, asked := found[d.ID]; asked {
				found[d.ID] = true
			}
		}
	})
	return found
}

// forgetRows removes the documents with the given rows from memory, unless others have replaced
// them.
func (st *Store) forgetRows(folder int, rows []int64) {
	if len(rows) == 0 {
		return
	}
	gone := make(map[int64]bool, len(rows))
	for _, row := range rows {
		gone[row] = true
	}
	st.forgetIn(folder, func(d *search.Document) bool { return gone[d.ID] })
}

// forgetIn removes the documents of a folder for which meant returns true from memory.
func (st *Store) forgetIn(folder int, meant func(*search.Document) bool) {
	_ = st.Update(func(docs *Documents) error { // never fails
		for d := range docs.InFolder(folder) {
			if meant(d) {
				st.forgetDocument(docs, d.Location())
			}
		}
		return nil
	})
}
