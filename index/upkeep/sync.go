package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/compare"
	"vademecum/index/freshness"
	"vademecum/index/progress"
	"vademecum/index/say"
	"vademecum/internal/present"
)

// Sync brings the index up to date with the files in scope, but for vectors:
// see Embed. One run goes on at a time; others wait for their turn. What is
// committed before ctx ends stays, and what is reported is on the disk. A file
// that cannot be read is reported, never an error. A folder that another
// process indexes is brought up to date by that one.
func (k *Keeper) Sync(ctx context.Context, scope Scope) (report say.Report, err error) {
	err = k.guard.Catch("bring the index up to date", func() (err error) {
		report, err = k.syncOnce(ctx, scope)
		if errors.Is(err, catalog.ErrDamaged) { // which is known now, and mended first
			report, err = k.syncOnce(ctx, scope)
		}
		return err
	})
	return report, err
}

func (k *Keeper) syncOnce(ctx context.Context, scope Scope) (say.Report, error) {
	areas, err := k.comparer.Areas(scope.Paths)
	if err != nil {
		return say.Report{}, err
	}
	if err := k.fresh.WaitLoaded(ctx); err != nil {
		return say.Report{}, err
	}
	for i := range k.fresh.Silent() {
		if slices.ContainsFunc(areas, func(a compare.Area) bool { return a.Folder == i }) {
			return say.Report{}, fmt.Errorf("index %s: %w", present.Name(k.folders[i].Dir()), docs.ErrSilent)
		}
	}
	if err := k.recovery.Mend(ctx, 0); err != nil {
		return say.Report{}, err
	}
	if scope.Check && !scope.Force {
		if err := k.recovery.CheckTexts(ctx, areas); err != nil {
			return say.Report{}, err
		}
	}
	r := k.newRun(compare.Comparison{Force: scope.Force, Replace: scope.Replace})
	err = k.tellingWhile(ctx, func() (err error) {
		r, err = k.syncAreas(ctx, r, areas)
		return err
	})
	if err == nil && r.Seen == 0 && len(r.unlike) == 0 && len(scope.Paths) > 0 {
		return r.Report, fmt.Errorf("nothing in the folder matches %s", present.Name(strings.Join(scope.Paths, ", ")))
	}
	if err == nil {
		err = k.flush()
	}
	if errors.Is(err, catalog.ErrHeld) && k.patience > 0 {
		err = nil // answers say so
	}
	r.finish()
	unlike := r.spared(areas)
	if err != nil && unlike != nil { // that is not all
		return r.Report, fmt.Errorf("%w; %v", err, unlike)
	}
	return r.Report, cmp.Or(err, unlike)
}

// syncAreas brings up to date first what this process indexes, with the files
// that are read apart, and then what others do: these may be waiting for it.
func (k *Keeper) syncAreas(ctx context.Context, r *run, areas []compare.Area) (_ *run, err error) {
	own, others := k.split(areas)
	if len(own) > 0 {
		r, err = k.syncAs(ctx, r, own)
		if err == nil {
			err = r.await(ctx)
		}
	}
	for _, a := range own {
		if r.overtaken || !k.peers.Leads(a.Folder) { // before this is known here
			others[a.Folder] = append(others[a.Folder], a)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(others)) {
		err = errors.Join(err, k.handOver())
		if err == nil {
			err = r.sparing(r.syncOther(ctx, folder, others[folder]))
		}
	}
	return r, err
}

// flush puts on the disk what was committed.
func (k *Keeper) flush() error {
	for i, f := range k.folders {
		if err := k.store.Follower(i).Flush(); err != nil {
			return fmt.Errorf("save the index of %s: %w", f.Dir(), err)
		}
	}
	return nil
}

// Scope is what a Sync looks at.
type Scope struct {
	Paths []string // files, folders or globs as shown; empty: everything
	Force bool     // read files again even when they look unchanged
	Check bool     // look whether the texts of documents are there, too, and have those read again that are not

	// Replace has a library be that of its folder, whatever goes away by that: see
	// unlike.go.
	Replace bool
}

// run is one Sync under way.
type run struct {
	compare.Comparison
	k         *Keeper
	apart     []*reading       // files in the scope that are read beside the run
	unlike    map[int]say.Note // why folders were left alone, by their numbers
	overtaken bool             // another process has the duty now, and has to do what is left
	before    int              // documents that were indexed before it was begun again
}

// newRun prepares a run as it is asked for.
func (k *Keeper) newRun(as compare.Comparison) *run {
	as.Comparer = k.comparer
	return &run{Comparison: as, k: k}
}

// sync does not wait for files that are read apart.
func (k *Keeper) sync(ctx context.Context, areas []compare.Area, force bool) (*run, error) {
	return k.syncAs(ctx, k.newRun(compare.Comparison{Force: force}), areas)
}

// syncAs is sync as a run that is prepared. It returns another one if that was begun
// again.
func (k *Keeper) syncAs(ctx context.Context, r *run, areas []compare.Area) (_ *run, err error) {
	if err := k.turn.Acquire(ctx, 1); err != nil {
		return r, err
	}
	defer k.turn.Release(1)
	for _, a := range areas {
		k.fresh.HearIndexer(a.Folder, nil) // it is this process
	}
	k.fresh.Start()
	began := r.begins()
	complete, err := r.wholly(ctx, areas)
	for range k.folders { // each goes over to memory once
		if err == nil || ctx.Err() != nil || errors.Is(err, catalog.ErrOvertaken) {
			break
		}
		salvaged, failed := k.recovery.Salvage(ctx)
		if err = errors.Join(err, failed); !salvaged || failed != nil {
			break
		}
		r = r.again()
		complete, err = r.wholly(ctx, areas)
	}
	areas = r.left(areas)
	if errors.Is(err, catalog.ErrOvertaken) {
		k.log.Info("another process has taken over", "reason", err)
		err, areas = nil, nil // it does what is left
		r.overtaken = true
	}
	if complete && k.coversOwn(compare.WholeOf(areas)) {
		k.fresh.Scanned(began)
		clear(k.whole)
	}
	if ctx.Err() != nil && !errors.Is(err, catalog.ErrHeld) {
		k.fresh.End(nil, false) // given up, not failed
	} else {
		k.fresh.End(err, complete)
		k.keepRunFailure(ctx, areas, err)
	}
	if r.Seen >= manySeen {
		k.slack.made.Store(true)
	}
	k.Embedding.Wake()
	return r, err
}

// wholly brings areas up to date, and tells whether all that this process indexes
// has been since the last run over all of it: at the start the folders come one
// after the other.
func (r *run) wholly(ctx context.Context, areas []compare.Area) (complete bool, err error) {
	k := r.k
	err = k.guard.Catch("bring the index up to date", func() error { return r.all(ctx, areas) })
	if !k.recovery.HasReloaded() { // else it was tried in vain, or there is no need
		err = errors.Join(err, k.recovery.Reload(ctx))
	}
	if err != nil {
		return false, err
	}
	whole := compare.WholeOf(r.left(areas))
	k.comparer.NoteCompared(whole)
	k.comparer.RememberDirectories(ctx, whole)
	maps.Copy(k.whole, whole)
	if len(whole) == 0 && !k.ownsMissingOnly() || !k.coversOwn(k.whole) {
		return false, nil
	}
	k.fresh.ScanTook(r.Scanning)
	if time.Since(k.syncSaved) > freshness.SweepEvery/2 {
		if err := k.setSynced(ctx); err != nil {
			return false, err
		}
		k.syncSaved = time.Now()
	}
	return true, nil
}

// begins is when a run begins, or did what it need not do again.
func (r *run) begins() time.Time {
	first := time.Now()
	for _, l := range r.Listings {
		if l.Began.Before(first) {
			first = l.Began
		}
	}
	return first
}

// again is a run that goes on with what another has not done.
func (r *run) again() *run {
	next := r.k.newRun(compare.Comparison{Replace: r.Replace})
	next.apart, next.before = r.apart, r.before+r.Report.Indexed
	next.Report.Indexed, next.Report.Removed = r.Report.Indexed, r.Report.Removed
	return next
}

// coversOwn tells whether folders are all that this process indexes, but for those that
// are not there.
func (k *Keeper) coversOwn(folders map[int]bool) bool {
	for i := range k.folders {
		if k.peers.Leads(i) && !folders[i] && !k.fresh.IsMissing(i) {
			return false
		}
	}
	return len(folders) > 0 || k.ownsMissingOnly()
}

// ownsMissingOnly tells whether this process indexes folders that are not there, and no
// others: it has nothing to scan.
func (k *Keeper) ownsMissingOnly() bool {
	owns := false
	for i := range k.folders {
		if k.peers.Leads(i) {
			if !k.fresh.IsMissing(i) {
				return false
			}
			owns = true
		}
	}
	return owns
}

func (r *run) finish() {
	r.Report.Total = r.k.store.CountDocuments()
	r.Report.Unchanged, r.before = max(0, r.Report.Unchanged-r.before), 0
	slices.SortFunc(r.Report.Skipped, func(a, b say.Skip) int { return cmp.Compare(a.Path, b.Path) })
	r.Report.Skipped = slices.Compact(r.Report.Skipped)
}

// all compares every folder before it reads anything, so that how far it is can
// be told of all.
func (r *run) all(ctx context.Context, areas []compare.Area) (err error) {
	found := make([]compare.Difference, len(r.k.folders))
	var compared []int
	for i := range found {
		own := slices.DeleteFunc(slices.Clone(areas), func(a compare.Area) bool { return a.Folder != i })
		if len(own) == 0 {
			continue
		}
		if len(own) > manyAreas && !r.Force {
			own = []compare.Area{{Folder: i, Base: "."}}
		}
		var d compare.Difference
		if d, err = r.CompareOwn(ctx, i, own); err != nil {
			if err = r.sparing(err); err == nil {
				continue
			}
			err = r.failed(i, err)
			break // after those before it
		}
		r.k.fresh.Expect(len(d.Quick) + len(d.Slow))
		found[i], compared = d, append(compared, i)
	}
	for _, i := range compared {
		if failed := r.folder(ctx, i, found[i]); failed != nil {
			return r.failed(i, failed)
		}
	}
	return err
}

func (r *run) failed(folder int, err error) error {
	return fmt.Errorf("index %s: %w", r.k.folders[folder].Dir(), err)
}

// manyAreas is the number from which a scan of the whole folder is cheaper
// than one of each.
const manyAreas = 64

// folder does what a comparison of a folder found: first what is new or changed,
// then what is gone, so that a renamed document is never missing.
func (r *run) folder(ctx context.Context, folder int, d compare.Difference) error {
	if len(d.Quick) > 0 {
		if err := r.process(ctx, folder, d.Quick); err != nil {
			return err
		}
	}
	slow, err := r.takeMoved(ctx, folder, d.Slow, d.Gone)
	if err != nil {
		return err
	}
	r.k.fresh.Advance(len(d.Slow) - len(slow))
	if err := r.removeGone(ctx, folder, d.Gone); err != nil {
		return err
	}
	if r.Force {
		if err := r.k.store.Forgive(ctx, folder); err != nil {
			return fmt.Errorf("have the model asked again: %w", err)
		}
	}
	r.apart = append(r.apart, r.k.apart.add(folder, slow, r.Force)...)
	return nil
}

// sparing notes the folders that an error is about alone, and returns any other error.
func (r *run) sparing(err error) error {
	var unlike freshness.Unlike
	if !errors.As(err, &unlike) {
		return err
	}
	if r.unlike == nil {
		r.unlike = make(map[int]say.Note)
	}
	maps.Copy(r.unlike, unlike.Folders)
	return nil
}

// spared is the error about the folders that a run over areas has left alone, if there
// are any.
func (r *run) spared(areas []compare.Area) error {
	if len(r.unlike) == 0 {
		return nil
	}
	return freshness.Unlike{Folders: r.unlike, Others: len(r.left(areas)) > 0}
}

// left are the areas of folders that were not left alone.
func (r *run) left(areas []compare.Area) []compare.Area {
	return slices.DeleteFunc(slices.Clone(areas), func(a compare.Area) bool {
		_, spared := r.unlike[a.Folder]
		return spared
	})
}

// keepRunFailure notes for status how a run over areas ended.
func (k *Keeper) keepRunFailure(ctx context.Context, areas []compare.Area, failed error) {
	for i := range k.folders {
		c := k.store.Follower(i)
		isOf := slices.ContainsFunc(areas, func(a compare.Area) bool { return a.Folder == i })
		if !isOf || c == nil || failed == nil && c.RunSucceeded.Load() {
			continue
		}
		if err := progress.KeepFailure(ctx, c, progress.RunFailure, failed); err != nil {
			k.log.Debug("could not note how the run ended", "error", err)
			continue
		}
		c.RunSucceeded.Store(failed == nil)
	}
}

func (k *Keeper) setSynced(ctx context.Context) error {
	for i := range k.folders {
		if !k.peers.Leads(i) || k.fresh.IsMissing(i) {
			continue
		}
		c := k.store.Follower(i)
		if err := progress.SetSynced(ctx, c, time.Now()); err != nil {
			return fmt.Errorf("save the time of the scan of %s: %w", k.folders[i].Dir(), err)
		}
	}
	return nil
}
