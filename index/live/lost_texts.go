package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// lostTexts holds the rows of documents whose texts are missing in the catalogue or differ from
// what was saved. A row stays recorded until another document replaces it.
type lostTexts struct {
	mu   sync.Mutex
	rows map[int64]bool
}

func (l *lostTexts) add(row int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rows == nil {
		l.rows = make(map[int64]bool)
	}
	l.rows[row] = true
}

// documentsAmong returns those of the documents that have a recorded row, and forgets all other rows.
func (l *lostTexts) documentsAmong(all []*search.Document) []*search.Document {
	l.mu.Lock()
	defer l.mu.Unlock()
	found := slices.DeleteFunc(all, func(d *search.Document) bool { return !l.rows[d.ID] })
	clear(l.rows)
	for _, d := range found {
		l.rows[d.ID] = true
	}
	return found
}

func (l *lostTexts) isEmpty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.rows) == 0
}

// DocumentsWithLostText returns the documents of a folder whose texts are lost, in no particular order, so that
// their files can be read again.
func (st *Store) DocumentsWithLostText(folder int) []*search.Document {
	f := st.Follower(folder)
	if f == nil || f.lost.isEmpty() {
		return nil
	}
	all := st.DocumentsIn(folder, AnyPath)
	return f.lost.documentsAmong(slices.DeleteFunc(all, func(d *search.Document) bool { return d.CatalogID != f.number }))
}

// recordLost records that the text of a document is lost, and returns an error that says so.
func (f *Follower) recordLost(d *search.Document, what string) error {
	f.lost.add(d.ID)
	return f.RecordDamage(fmt.Errorf("the text of %s %s: %w", d.Path, what, catalog.ErrDamaged))
}

// CheckForLostTexts fails if the text of any document of a folder is lost. It checks all texts, which
// queries do not.
func (st *Store) CheckForLostTexts(ctx context.Context, folder int) error {
	source := st.Follower(folder)
	if source == nil {
		return nil
	}
	of := st.DocumentsIn(folder, AnyPath) // first, so that documents added later are not checked
	of = slices.DeleteFunc(of, func(d *search.Document) bool { return d.SkipReason != "" })
	rows, err := source.RowsWithText(ctx)
	if err != nil {
		return fmt.Errorf("look for the texts of documents: %w", err)
	}
	there := make(map[int64]bool, len(rows))
	for _, row := range rows {
		there[row] = true
	}
	return st.checkFound(ctx, source, of, func(row int64) bool { return there[row] })
}

// checkFound returns an error if found returns false for the row of a document that was not replaced.
func (st *Store) checkFound(ctx context.Context, source *Follower, of []*search.Document, found func(row int64) bool) error {
	var errs []error
	for _, d := range of {
		if found(d.ID) || d.CatalogID != source.number {
			continue
		}
		replaced, err := st.isReplaced(ctx, source, d)
		if err == nil && !replaced {
			err = source.recordLost(d, "is gone")
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// isReplaced reports whether a document was removed or replaced, or will be when the commits of
// other processes are followed.
func (st *Store) isReplaced(ctx context.Context, source *Follower, d *search.Document) (bool, error) {
	after := source.LastFollowedChange() // before memory is read, which then contains all these changes
	if now, ok := st.Document(d.Location()); !ok || now.ID != d.ID || now.CatalogID != d.CatalogID {
		return true, nil
	}
	there, err := source.Record(ctx, d.ID)
	if err != nil || there.ID != 0 { // rows are never reused, so it existed all the time
		return false, err
	}
	since, err := source.Changes(ctx, after)
	return since.HasMore || since.MustReload || slices.Contains(since.RemovedIDs, d.ID), err
}

// recordDamaged determines and records which texts of documents are damaged, after the catalogue
// reported damage for all of them together.
func (f *Follower) recordDamaged(ctx context.Context, of []*search.Document, hashes map[int64][32]byte) {
	for _, d := range of {
		hash, asked := hashes[d.ID]
		if !asked {
			continue
		}
		if _, err := f.LoadBodies(ctx, map[int64][32]byte{d.ID: hash}); errors.Is(err, catalog.ErrDamaged) {
			f.lost.add(d.ID)
		}
	}
}
