package upkeep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/compare"
	"vademecum/index/freshness"
	"vademecum/index/indexer"
	"vademecum/index/progress"
	"vademecum/index/say"
	"vademecum/index/search"
	"vademecum/index/throttle"
)

// Folders that another process indexes: this one compares, and asks that one
// when there is something to do.

// syncOther has the indexer of a folder do it, if there is something to do.
func (k *Keeper) syncOther(ctx context.Context, r *indexer.Run, folder int, areas []compare.Area) error {
	looked := k.indexer.NewRun(compare.Comparison{})
	var d compare.Difference
	f, unlike := k.folders[folder], k.fresh.Unlike(folder)
	switch {
	case unlike != nil:
		return freshness.Unlike{Folders: map[int]say.Note{folder: *unlike}}
	case r.Replace:
		return k.replacing(ctx, folder)
	case f.IsAway() && !k.peers.HasIndexer(ctx, folder):
		_, err := k.store.Follow(ctx, folder)
		k.inStep(r, folder, err)
		return err // answers say that nobody sees the files
	case !f.IsAway() && !r.Force:
		var err error
		if d, err = looked.Compare(ctx, folder, areas); err != nil || d.IsEmpty() {
			k.merge(r, folder, k.answer(looked, folder))
			k.inStep(r, folder, err)
			return err
		}
	}
	waiting, cancel := ctx, context.CancelFunc(func() {})
	if k.patience > 0 {
		waiting, cancel = context.WithTimeout(ctx, k.patience)
	}
	defer cancel()
	began := time.Now()
	a, err := k.request(waiting, wish{folder: folder, areas: areas, force: r.Force})
	k.notePutOff(ctx, folder, d, time.Since(began), err)
	late := errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil
	k.fresh.Owe(folder, late)
	if late {
		if !k.fresh.State().Behind() { // although it says nothing of the kind
			k.fresh.Restart(folder)
		}
		return nil
	}
	if o := k.comparer.Overlap(folder, d); err == nil && o.IsUnlike() && f.Home.IsShared() {
		return k.comparer.Refrain(folder, o)
	}
	k.merge(r, folder, a)
	k.inStep(r, folder, err)
	return err
}

// replacing tells why a library cannot be made that of a folder now.
func (k *Keeper) replacing(ctx context.Context, folder int) error {
	n, err := progress.IndexerNewsOf(ctx, k.store.Follower(folder))
	if err != nil {
		return err
	}
	return fmt.Errorf("%s keeps %s as its own folder is: end it first", n.Indexer, k.folders[folder].Home.Name())
}

// inStep notes that a folder that another process indexes has been compared,
// where no Run hears of that process.
func (k *Keeper) inStep(r *indexer.Run, folder int, err error) {
	if err == nil && !k.fresh.IsServing() {
		k.fresh.HearIndexer(folder, &progress.State{Phase: progress.Ready, Synced: time.Now()})
	}
}

// refreshOther asks the indexer of a folder for what it has not noticed yet.
func (k *Keeper) refreshOther(ctx context.Context, folder int, areas []compare.Area) error {
	select {
	case k.comparing <- struct{}{}: // one at a time: it may have to be left alone
	case <-ctx.Done():
		return ctx.Err()
	}
	r := k.indexer.NewRun(compare.Comparison{Trusting: true})
	d, err := r.Compare(ctx, folder, areas)
	<-k.comparing
	k.fresh.ScanTook(r.Scanning)
	if err == nil {
		k.comparer.NoteCompared(compare.WholeOf(areas)) // what is left to do is owed below
	}
	if err != nil || d.IsEmpty() {
		if err == nil {
			k.comparer.RememberDirectories(ctx, compare.WholeOf(areas))
		}
		k.fresh.Owe(folder, k.fresh.IsOwed(folder) && err != nil)
		return err
	}
	began := time.Now()
	_, err = k.request(ctx, wish{folder: folder, areas: areas, enough: func() bool { return k.isDone(ctx, folder, d) }})
	k.notePutOff(ctx, folder, d, time.Since(began), err)
	if errors.As(err, new(freshness.Unlike)) { // this process has taken over; answers say it
		err = nil
	} else if o := k.comparer.Overlap(folder, d); err == nil && o.IsUnlike() && k.folders[folder].Home.IsShared() {
		k.comparer.Refrain(folder, o) // which answers say, too
	}
	k.fresh.Owe(folder, err != nil)
	return err
}

// notePutOff remembers what the indexer has put off although it was asked, so
// that it is not asked with each question, and answers say so.
func (k *Keeper) notePutOff(ctx context.Context, folder int, d compare.Difference, took time.Duration, err error) {
	if err != nil {
		return
	}
	if _, err := k.store.Follow(ctx, folder); err != nil {
		return
	}
	for _, f := range append(d.Quick, d.Slow...) {
		at := search.Location{Folder: folder, Path: f.Path}
		if now, ok := k.store.Document(at); ok && !docs.IsSlow(f.Path) && !compare.IsSame(now, f) {
			k.throttle.Observe(at, max(throttle.Costly, took), time.Now())
			k.throttle.Changed(at)
		}
	}
}

// isDone tells whether the indexer has taken up a compare.Difference, but for files
// that it reads apart.
func (k *Keeper) isDone(ctx context.Context, folder int, d compare.Difference) bool {
	if _, err := k.store.Follow(ctx, folder); err != nil || len(d.Quick)+len(d.Gone) == 0 {
		return false
	}
	for _, f := range d.Quick {
		if now, ok := k.store.Document(search.Location{Folder: folder, Path: f.Path}); !ok || !compare.IsSame(now, f) {
			return false
		}
	}
	return !slices.ContainsFunc(d.Gone, func(old *search.Document) bool {
		now, ok := k.store.Document(search.Location{Folder: folder, Path: old.Path})
		return ok && now.ID == old.ID
	})
}

// Leads tells whether this process indexes a folder.
func (k *Keeper) Leads(folder int) bool { return k.peers.Leads(folder) }

// Compare scans folders and takes up what has changed in them, or has others do so. Of
// folders that have not the files of their libraries it says nothing: answers do. The
// error is catalog.ErrOvertaken where another process has taken over meanwhile.
func (k *Keeper) Compare(ctx context.Context, folders []int) error {
	own, others := k.split(compare.AllOf(folders))
	if len(own) > 0 {
		r, err := k.indexer.Index(ctx, k.indexer.NewRun(compare.Comparison{}), own)
		if err != nil {
			return err
		}
		if r.Overtaken {
			return catalog.ErrOvertaken
		}
	}
	for folder, areas := range others {
		if err := k.refreshOther(ctx, folder, areas); err != nil {
			return err
		}
	}
	return nil
}
