package index

import (
	"context"
	"errors"
	"slices"
	"time"

	"vademecum/docs"
	"vademecum/index/search"
)

// Folders that another process indexes: this one compares, and asks that one
// when there is something to do.

// syncOther has the indexer of a folder do it, if there is something to do.
func (r *run) syncOther(ctx context.Context, folder int, areas []area) error {
	looked := &run{ix: r.ix}
	var d discrepancy
	if !r.force {
		var err error
		if d, err = looked.compare(ctx, folder, areas); err != nil || d.isEmpty() {
			r.merge(folder, answer{looked.report, looked.seen, ""})
			r.inStep(folder, err)
			return err
		}
	}
	waiting, cancel := ctx, context.CancelFunc(func() {})
	if r.ix.patience > 0 {
		waiting, cancel = context.WithTimeout(ctx, r.ix.patience)
	}
	defer cancel()
	began := time.Now()
	a, err := r.ix.request(waiting, wish{folder: folder, areas: areas, force: r.force})
	r.ix.notePutOff(ctx, folder, d, time.Since(began), err)
	late := errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
	r.ix.folders[folder].indexing.Owe(late)
	if late {
		if !r.ix.State().Behind() { // although it says nothing of the kind
			r.ix.progress.restart(folder)
		}
		return nil
	}
	r.merge(folder, a)
	r.inStep(folder, err)
	return err
}

// inStep notes that a folder that another process indexes has been compared,
// where no Run hears of that process.
func (r *run) inStep(folder int, err error) {
	if err == nil && !r.ix.kept.Load() {
		r.ix.progress.hearIndexer(folder, &State{Phase: Ready, Synced: time.Now()})
	}
}

// refreshOther asks the indexer of a folder for what it has not noticed yet.
func (ix *Index) refreshOther(ctx context.Context, folder int, areas []area) error {
	select {
	case ix.comparing <- struct{}{}: // one at a time: it may have to be left alone
	case <-ctx.Done():
		return ctx.Err()
	}
	r := &run{ix: ix, trusting: true}
	d, err := r.compare(ctx, folder, areas)
	<-ix.comparing
	ix.pace.note(r.scanning)
	indexing := ix.folders[folder].indexing
	if err != nil || d.isEmpty() {
		indexing.Owe(indexing.IsOwed() && err != nil)
		return err
	}
	began := time.Now()
	_, err = ix.request(ctx, wish{folder: folder, areas: areas, enough: func() bool { return ix.isDone(ctx, folder, d) }})
	ix.notePutOff(ctx, folder, d, time.Since(began), err)
	indexing.Owe(err != nil)
	return err
}

// notePutOff remembers what the indexer has put off although it was asked, so
// that it is not asked with each question, and answers say so.
func (ix *Index) notePutOff(ctx context.Context, folder int, d discrepancy, took time.Duration, err error) {
	if err != nil {
		return
	}
	if _, err := ix.store.Follow(ctx, folder); err != nil {
		return
	}
	for _, f := range append(d.quick, d.slow...) {
		at := search.Location{Folder: folder, Path: f.Path}
		if now, ok := ix.store.Document(at); ok && !docs.IsSlow(f.Path) && !isSame(now.Record, f) {
			ix.restless.note(at, max(costly, took), time.Now())
			ix.restless.await(at)
		}
	}
}

// isDone tells whether the indexer has taken up a discrepancy, but for files
// that it reads apart.
func (ix *Index) isDone(ctx context.Context, folder int, d discrepancy) bool {
	if _, err := ix.store.Follow(ctx, folder); err != nil || len(d.quick)+len(d.gone) == 0 {
		return false
	}
	for _, f := range d.quick {
		if now, ok := ix.store.Document(search.Location{Folder: folder, Path: f.Path}); !ok || !isSame(now.Record, f) {
			return false
		}
	}
	return !slices.ContainsFunc(d.gone, func(old *search.Document) bool {
		now, ok := ix.store.Document(search.Location{Folder: folder, Path: old.Path})
		return ok && now.ID == old.ID
	})
}
