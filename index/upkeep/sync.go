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
	"vademecum/index/say"
	"vademecum/index/search"
	"vademecum/internal/present"
)

// Sync brings the index up to date with the files in scope, but for vectors:
// see Embed. One run goes on at a time; others wait for their turn. What is
// committed before ctx ends stays, and what is reported is on the disk. A file
// that cannot be read is reported, never an error. A folder that another
// process indexes is brought up to date by that one.
func (k *Keeper) Sync(ctx context.Context, scope Scope) (report say.Report, err error) {
	err = k.guard("bring the index up to date", func() (err error) {
		report, err = k.syncOnce(ctx, scope)
		if errors.Is(err, catalog.ErrDamaged) { // which is known now, and mended first
			report, err = k.syncOnce(ctx, scope)
		}
		return err
	})
	return report, err
}

func (k *Keeper) syncOnce(ctx context.Context, scope Scope) (say.Report, error) {
	areas, err := k.areas(scope.Paths)
	if err != nil {
		return say.Report{}, err
	}
	if err := k.waitLoaded(ctx); err != nil {
		return say.Report{}, err
	}
	for i := range k.silent() {
		if slices.ContainsFunc(areas, func(a area) bool { return a.folder == i }) {
			return say.Report{}, fmt.Errorf("index %s: %w", present.Name(k.folders[i].Dir()), docs.ErrSilent)
		}
	}
	if err := k.mend(ctx, 0); err != nil {
		return say.Report{}, err
	}
	r := &run{k: k, force: scope.Force, replace: scope.Replace}
	err = k.tellingWhile(ctx, func() (err error) {
		r, err = k.syncAreas(ctx, r, areas)
		return err
	})
	if err == nil && r.seen == 0 && len(r.unlike) == 0 && len(scope.Paths) > 0 {
		return r.report, fmt.Errorf("nothing in the folder matches %s", present.Name(strings.Join(scope.Paths, ", ")))
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
		return r.report, fmt.Errorf("%w; %v", err, unlike)
	}
	return r.report, cmp.Or(err, unlike)
}

// syncAreas brings up to date first what this process indexes, with the files
// that are read apart, and then what others do: these may be waiting for it.
func (k *Keeper) syncAreas(ctx context.Context, r *run, areas []area) (_ *run, err error) {
	own, others := k.split(areas)
	overtaken := k.overtaken.Load()
	if len(own) > 0 {
		r, err = k.syncAs(ctx, r, own)
		if err == nil {
			err = r.await(ctx)
		}
	}
	for _, a := range own {
		if k.overtaken.Load() != overtaken || !k.peers.Leads(a.folder) { // before this is known here
			others[a.folder] = append(others[a.folder], a)
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

// run is one Sync under way.
type run struct {
	k        *Keeper
	force    bool
	replace  bool                 // see Scope
	trusting bool                 // a file is as it was when its size and time are
	seen     int                  // files and documents in the scope
	scanning time.Duration        // spent on scans
	listings map[int]docs.Listing // of folders that were scanned a moment ago, by their numbers
	apart    []*reading           // files in the scope that are read beside the run
	report   say.Report
	unlike   map[int]say.Note // why folders were left alone, by their numbers
	before   int              // documents that were indexed before it was begun again
}

// sync does not wait for files that are read apart.
func (k *Keeper) sync(ctx context.Context, areas []area, force bool) (*run, error) {
	return k.syncAs(ctx, &run{k: k, force: force}, areas)
}

// syncAs is sync as a run that is prepared. It returns another one if that was begun
// again.
func (k *Keeper) syncAs(ctx context.Context, r *run, areas []area) (_ *run, err error) {
	select {
	case k.syncing <- struct{}{}:
	case <-ctx.Done():
		return r, ctx.Err()
	}
	defer func() { <-k.syncing }()
	for _, a := range areas {
		k.progress.HearIndexer(a.folder, nil) // it is this process
	}
	k.progress.Start()
	began := r.begins()
	complete, err := r.wholly(ctx, areas)
	for range k.folders { // each goes over to memory once
		if err == nil || ctx.Err() != nil || errors.Is(err, catalog.ErrOvertaken) {
			break
		}
		salvaged, failed := k.salvage(ctx)
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
		k.overtaken.Add(1)
	}
	if complete && k.coversOwn(wholeOf(areas)) {
		k.scanned.Store(&began)
		clear(k.whole)
	}
	if ctx.Err() != nil && !errors.Is(err, catalog.ErrHeld) {
		k.progress.End(nil, false) // given up, not failed
	} else {
		k.progress.End(err, complete)
		k.keepRunFailure(ctx, areas, err)
	}
	if r.seen >= manySeen {
		k.slack.made.Store(true)
	}
	k.wantVectors()
	return r, err
}

// wholly brings areas up to date, and tells whether all that this process indexes
// has been since the last run over all of it: at the start the folders come one
// after the other.
func (r *run) wholly(ctx context.Context, areas []area) (complete bool, err error) {
	k := r.k
	err = k.guard("bring the index up to date", func() error { return r.all(ctx, areas) })
	if !isRecent(&k.reloaded, mendPause) { // else it was tried in vain, or there is no need
		err = errors.Join(err, k.reload(ctx))
	}
	if err != nil {
		return false, err
	}
	whole := wholeOf(r.left(areas))
	maps.Copy(k.whole, whole)
	if len(whole) == 0 || !k.coversOwn(k.whole) {
		return false, nil
	}
	k.pace.note(r.scanning)
	if time.Since(k.syncSaved) > sweepEvery/2 {
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
	for _, l := range r.listings {
		if l.Began.Before(first) {
			first = l.Began
		}
	}
	return first
}

// again is a run that goes on with what another has not done.
func (r *run) again() *run {
	next := &run{k: r.k, replace: r.replace, apart: r.apart, before: r.before + r.report.Indexed}
	next.report.Indexed, next.report.Removed = r.report.Indexed, r.report.Removed
	return next
}

// wholeOf is the folders of which areas are all.
func wholeOf(areas []area) map[int]bool {
	whole := make(map[int]bool)
	for _, a := range areas {
		if a.base == "." && a.glob == nil {
			whole[a.folder] = true
		}
	}
	return whole
}

// coversOwn tells whether folders are all that this process indexes.
func (k *Keeper) coversOwn(folders map[int]bool) bool {
	for i := range k.folders {
		if k.peers.Leads(i) && !folders[i] {
			return false
		}
	}
	return len(folders) > 0
}

func (r *run) finish() {
	r.report.Total = r.k.store.CountDocuments()
	r.report.Unchanged, r.before = max(0, r.report.Unchanged-r.before), 0
	slices.SortFunc(r.report.Skipped, func(a, b say.Skip) int { return cmp.Compare(a.Path, b.Path) })
	r.report.Skipped = slices.Compact(r.report.Skipped)
}

// all compares every folder before it reads anything, so that how far it is can
// be told of all.
func (r *run) all(ctx context.Context, areas []area) (err error) {
	found := make([]discrepancy, len(r.k.folders))
	var compared []int
	for i := range found {
		own := slices.DeleteFunc(slices.Clone(areas), func(a area) bool { return a.folder != i })
		if len(own) == 0 {
			continue
		}
		if len(own) > manyAreas && !r.force {
			own = []area{{folder: i, base: "."}}
		}
		var d discrepancy
		if d, err = r.compareOwn(ctx, i, own); err != nil {
			if err = r.sparing(err); err == nil {
				continue
			}
			err = r.failed(i, err)
			break // after those before it
		}
		r.k.progress.Expect(len(d.quick) + len(d.slow))
		found[i], compared = d, append(compared, i)
	}
	if slices.ContainsFunc(found, func(d discrepancy) bool { return !d.isEmpty() }) || err != nil {
		r.k.store.Collect() // to read files makes much
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
func (r *run) folder(ctx context.Context, folder int, d discrepancy) error {
	if len(d.quick) > 0 {
		if err := r.process(ctx, folder, d.quick); err != nil {
			return err
		}
	}
	slow, err := r.takeMoved(ctx, folder, d.slow, d.gone)
	if err != nil {
		return err
	}
	r.k.progress.Advance(len(d.slow) - len(slow))
	if err := r.removeGone(ctx, folder, d.gone); err != nil {
		return err
	}
	if r.force {
		if err := r.k.store.Forgive(ctx, folder); err != nil {
			return fmt.Errorf("have the model asked again: %w", err)
		}
	}
	r.apart = append(r.apart, r.k.apart.add(folder, slow, r.force)...)
	return nil
}

// discrepancy is what a folder and its index do not have in common.
type discrepancy struct {
	quick, slow []docs.File // new or changed files; the slow ones are read apart
	gone        []*search.Document
}

func (d discrepancy) isEmpty() bool { return len(d.quick)+len(d.slow)+len(d.gone) == 0 }

// compare looks for what is to be done in parts of a folder, after taking over
// what another process has committed.
func (r *run) compare(ctx context.Context, folder int, areas []area) (d discrepancy, err error) {
	if _, err := r.k.store.Follow(ctx, folder); err != nil {
		return d, fmt.Errorf("read what another process indexed: %w", err)
	}
	// Before the scan: what comes later is not gone.
	have := r.k.store.DocumentsIn(folder, func(p string) bool { return anyHolds(areas, p) })
	if slices.ContainsFunc(have, func(d *search.Document) bool { return d.ReadAt().After(r.listings[folder].Began) }) {
		delete(r.listings, folder) // the file of one may have come after it
	}
	files, err := r.scan(ctx, folder, areas)
	if err != nil {
		return d, err
	}
	r.seen += len(files) + len(have)
	var there met
	d.quick, d.slow = r.changed(folder, files, named(areas), &there)
	d.gone = gone(files, have, there)
	return d, nil
}

// named are the paths by which areas begin.
func named(areas []area) map[string]bool {
	paths := make(map[string]bool, len(areas))
	for _, a := range areas {
		paths[a.base] = true
	}
	return paths
}

func anyHolds(areas []area, p string) bool {
	return slices.ContainsFunc(areas, func(a area) bool { return a.holds(p) })
}

// scan lists the files of all areas once, sorted by path.
func (r *run) scan(ctx context.Context, folder int, areas []area) ([]docs.File, error) {
	start := time.Now()
	defer func() { r.scanning += time.Since(start) }()
	var all []docs.File
	scanned := make(map[string]bool)
	for _, a := range areas {
		if scanned[a.base] {
			continue
		}
		scanned[a.base] = true
		files, err := r.list(ctx, folder, a.base)
		if err != nil {
			return nil, err
		}
		all = append(all, slices.DeleteFunc(files, func(f docs.File) bool { return !anyHolds(areas, f.Path) })...)
	}
	if len(scanned) > 1 {
		slices.SortFunc(all, func(a, b docs.File) int { return strings.Compare(a.Path, b.Path) })
		all = slices.CompactFunc(all, func(a, b docs.File) bool { return a.Path == b.Path })
	}
	return all, nil
}

// list lists the files at and below a base, from what is there of that already, once.
func (r *run) list(ctx context.Context, folder int, base string) ([]docs.File, error) {
	if l := r.listings[folder]; base == "." && !l.Began.IsZero() {
		delete(r.listings, folder)
		r.scanning += l.Took
		return l.Files, nil
	}
	return r.k.folders[folder].Scan(ctx, base)
}

// met tells of documents, by their numbers, whether a file was found of them.
type met []bool

func (m *met) add(d *search.Document) {
	if more := int(d.Number) + 1 - len(*m); more > 0 {
		*m = append(*m, make([]bool, more)...)
	}
	(*m)[d.Number] = true
}

func (m met) has(d *search.Document) bool { return int(d.Number) < len(m) && m[d.Number] }

// gone lists the documents that there is no file of. One that has got another number
// meanwhile is looked for by its path.
func gone(files []docs.File, have []*search.Document, there met) []*search.Document {
	return slices.DeleteFunc(have, func(d *search.Document) bool {
		if there.has(d) {
			return true
		}
		_, found := slices.BinarySearchFunc(files, d.Path, func(f docs.File, p string) int { return strings.Compare(f.Path, p) })
		return found
	})
}

// changed picks the files that must be looked into, in order, and those that
// are read apart, among them documents that are large and have changed.
// named are the files that events or callers told of: they are read although
// they look as they were. It notes which documents there are files of.
func (r *run) changed(folder int, files []docs.File, named map[string]bool, there *met) (quick, slow []docs.File) {
	for _, f := range files {
		at := search.Location{Folder: folder, Path: f.Path}
		d, ok := r.k.store.Document(at)
		if ok {
			there.add(d)
		}
		if d != nil && !r.force && !named[f.Path] && (isCurrent(d, f) || r.trusting && isSame(d, f)) && !r.k.isMisjudged(d) {
			r.k.restless.settle(at)
			r.unchanged(folder, d)
			continue
		}
		if d != nil && !r.force && f.Skip == "" && r.k.restless.putOff(at, isSame(d, f), time.Now()) {
			r.unchanged(folder, d)
			continue
		}
		switch {
		case f.Skip != "" || !docs.IsSlow(f.Path) && (d == nil || f.Size < largeFile) && !r.k.restless.holds(at, time.Now()):
			quick = append(quick, f)
		case d != nil && !r.force && !named[f.Path] && isResting(d, f):
			r.unchanged(folder, d)
		default:
			slow = append(slow, f)
		}
	}
	return quick, slow
}

func (r *run) unchanged(folder int, d *search.Document) {
	if d.Skip != "" {
		r.skipped(folder, d.Path, d.Skip)
		return
	}
	r.report.Unchanged++
}

func (r *run) skipped(folder int, path, reason string) {
	r.report.Skipped = append(r.report.Skipped, say.Skip{Path: r.k.folders.Show(search.Location{Folder: folder, Path: path}), Reason: reason})
}

// racy is how close to its last change a file may be read and still have been
// changed again without a new time: coarse clocks of file systems tick at up
// to two seconds.
const racy = 2 * time.Second

// isCurrent tells whether the document is what the file holds, as far as size
// and times show.
func isCurrent(d *search.Document, f docs.File) bool {
	if !isSame(d, f) || d.IsUnread() {
		return false
	}
	if f.Skip != "" {
		return d.Skip == f.Skip
	}
	last := f.ModTime
	if !f.Changed.IsZero() {
		last = f.Changed
	}
	// A time far in the future comes from another clock, and does not tick.
	since := d.ReadAt().Sub(last)
	return since > racy || since < -racy
}

// isResting tells whether a file that could not be read, for a reason that may
// go away, was tried a moment ago.
func isResting(d *search.Document, f docs.File) bool {
	since := time.Since(d.ReadAt()) // below zero when the clock was put back
	return d.IsUnread() && isSame(d, f) && since >= 0 && since < sweepEvery
}
