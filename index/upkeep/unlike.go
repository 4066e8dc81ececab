package upkeep

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/say"
)

// Processes on several machines may give the same library folders that are not the
// same: by a mistyped name, or as a drive is not mounted on one of them. The one that
// indexes would make the library that of its folder, for all. So a process that takes
// over first has to see that most of the documents are files of its folder. When they
// are not it changes nothing, leaves the duty to others, and looks again from time to
// time. From then on it may remove what it has seen go away, as long as it has the duty
// and the folder is the same directory.

// overlap tells how many documents of a library are files of a folder.
type overlap struct {
	documents int
	missing   int // that have no file there
	moved     int // that have one at another path
}

// fewMissing is how many documents may be without a file, unless these are nearly all.
const fewMissing = 24

// isUnlike tells whether so many of the documents have no file that the folder is
// probably another one, or a part of the one that it should be, where no file is at the
// path that it had.
func (o overlap) isUnlike() bool {
	switch {
	case o.missing == 0:
		return false
	case o.missing > fewMissing && 2*o.missing > o.documents:
		return true
	default:
		return 10*o.missing >= 9*o.documents || o.missing+o.moved >= o.documents
	}
}

// likeness is what a process has found out about a folder and its library.
type likeness struct {
	confirmed *footing  // of the comparison that has shown that it has the files; nil: none has
	at        time.Time // when it was seen that it has not
}

// footing is what a comparison of a folder with its library stands on: when one of
// these changes, it tells nothing any more.
type footing struct {
	since time.Time // when the process got, or lost, the duty to index
	turns int       // of the folder, see docs.Folder
}

func (k *Keeper) footing(folder int) footing {
	since, _ := k.folders[folder].Home.Indexing().Since()
	return footing{since, k.folders[folder].Turns()}
}

// footing is that of a comparison that is about to be made, perhaps by a listing.
func (r *run) footing(folder int, whole bool) footing {
	on := r.k.footing(folder)
	if l := r.listings[folder]; whole && !l.Began.IsZero() {
		on.turns = l.Turns
	}
	return on
}

// isConfirmed tells whether the folder was seen to have the files of its library, and
// all is as it was then, before a comparison and now.
func (k *Keeper) isConfirmed(folder int, before footing) bool {
	seen := k.likenessOf(folder).confirmed
	return seen != nil && *seen == before && before == k.footing(folder)
}

// compareOwn is compare for a folder that this process indexes. The error is Unlike
// where nothing must be done of what was found, as it is not known of the whole folder
// that it has the files of its library, and turns out not to be so.
func (r *run) compareOwn(ctx context.Context, folder int, areas []area) (d discrepancy, err error) {
	k, whole := r.k, wholeOf(areas)[folder]
	if !k.folders[folder].Home.IsShared() {
		return r.compare(ctx, folder, areas)
	}
	for seen, report := r.seen, r.report; ; r.seen, r.report = seen, report {
		on := r.footing(folder, whole)
		d, err = r.compare(ctx, folder, areas)
		switch {
		case err != nil || k.isConfirmed(folder, on):
			return d, err
		case whole:
			err = r.confirm(ctx, folder, d, on)
		default:
			err = r.confirmWhole(ctx, folder)
		}
		if err != nil {
			r.report = report
		}
		if err != nil || whole {
			return d, err
		}
	}
}

// confirmWhole fails when the folder as a whole has not the files of its library.
func (r *run) confirmWhole(ctx context.Context, folder int) error {
	looking := &run{k: r.k, trusting: true, replace: r.replace}
	_, err := looking.compareOwn(ctx, folder, []area{{folder: folder, base: "."}})
	r.scanning += looking.scanning
	return err
}

// confirm fails when this process, which has the duty to index a folder, must not go on
// with what a comparison of all of it has found. Otherwise it need not be asked again
// on the same footing.
func (r *run) confirm(ctx context.Context, folder int, d discrepancy, on footing) error {
	k := r.k
	if o := k.overlap(folder, d); o.isUnlike() && !r.replace {
		return k.refrain(folder, o)
	}
	k.setLikeness(folder, likeness{confirmed: &on})
	k.fresh.LeaveAlone(folder, nil)
	k.tellPlace(ctx, folder)
	return nil
}

// overlap counts the documents of a library by whether they have a file in the folder.
func (k *Keeper) overlap(folder int, d discrepancy) (o overlap) {
	type look struct{ size, modified int64 }
	there := make(map[look]bool)
	for _, f := range append(d.quick, d.slow...) {
		there[look{f.Size, catalog.Nanoseconds(f.ModTime)}] = true
	}
	for _, old := range d.gone {
		if now, ok := k.store.Document(old.At()); !ok || now.ID != old.ID {
			continue // the process that indexes has taken it up
		}
		switch {
		case old.Skip != "":
		case there[look{old.Size, catalog.Nanoseconds(old.Modified())}]:
			o.moved++
		default:
			o.missing++
		}
	}
	for _, d := range k.store.DocumentsIn(folder, live.Anywhere) {
		if d.Skip == "" {
			o.documents++
		}
	}
	return o
}

// hasFilesOf tells of a library that cannot be loaded whether the folder has its files, as
// far as the paths that are left of its documents say.
func (k *Keeper) hasFilesOf(ctx context.Context, folder int) func(paths []string) bool {
	return func(paths []string) bool {
		f := k.folders[folder]
		if f.IsAway() || !f.Answers() || f.Missing() != nil {
			return false
		}
		files, err := f.Scan(ctx, ".")
		if err != nil {
			return false
		}
		there := make(map[string]bool, len(files))
		for _, file := range files {
			there[file.Path] = true
		}
		o := overlap{documents: len(paths)}
		for _, p := range paths {
			if !there[p] {
				o.missing++
			}
		}
		return o.documents > 0 && !o.isUnlike()
	}
}

// refrain has this process leave a folder alone, and says so.
func (k *Keeper) refrain(folder int, o overlap) freshness.Unlike {
	f := k.folders[folder]
	n := k.unlikeNote(folder, o)
	if k.fresh.IsServing() && k.fresh.Unlike(folder) == nil { // a command says it in its own way
		k.log.Warn("the folder is not indexed: documents of the library are no files of it",
			"folder", f.Dir(), "library", f.Home.Name(), "missing", o.missing, "documents", o.documents, "to index it nevertheless", say.Replacing(f.Dir()))
	}
	k.setLikeness(folder, likeness{at: time.Now()})
	k.fresh.LeaveAlone(folder, &n)
	if !k.fresh.IsServing() { // no loop hears of others
		k.fresh.HearIndexer(folder, &progress.State{Phase: progress.Ready, Synced: time.Now()})
	}
	f.Home.Indexing().Decline(true)
	return freshness.Unlike{Folders: map[int]say.Note{folder: n}}
}

func (k *Keeper) unlikeNote(folder int, o overlap) say.Note {
	f := k.folders[folder]
	return say.Note{Kind: say.FolderUnlike, Path: f.Dir(), Library: f.Home.Short(), Count: o.missing, Total: o.documents}
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
func (r *run) spared(areas []area) error {
	if len(r.unlike) == 0 {
		return nil
	}
	return freshness.Unlike{Folders: r.unlike, Others: len(r.left(areas)) > 0}
}

// left are the areas of folders that were not left alone.
func (r *run) left(areas []area) []area {
	return slices.DeleteFunc(slices.Clone(areas), func(a area) bool {
		_, spared := r.unlike[a.folder]
		return spared
	})
}

func (k *Keeper) setLikeness(folder int, l likeness) {
	k.likenessMu.Lock()
	defer k.likenessMu.Unlock()
	k.likeness[folder] = l
}

func (k *Keeper) likenessOf(folder int) likeness {
	k.likenessMu.Lock()
	defer k.likenessMu.Unlock()
	return k.likeness[folder]
}

// reconsider looks whether a folder that this process leaves alone has the files of its
// library now, and has it be indexed again then.
func (k *Keeper) reconsider(ctx context.Context, folder int) error {
	o, err := k.compareWhole(ctx, folder)
	if err != nil {
		return err
	}
	if o.isUnlike() {
		k.refrain(folder, o) // as before
		return nil
	}
	k.setLikeness(folder, likeness{})
	k.fresh.LeaveAlone(folder, nil)
	k.log.Info("the folder has the files of the library now", "folder", k.folders[folder].Dir(), "library", k.folders[folder].Home.Name())
	k.folders[folder].Home.Indexing().Decline(false)
	return nil
}

// compareWhole counts as overlap does, and changes nothing.
func (k *Keeper) compareWhole(ctx context.Context, folder int) (overlap, error) {
	r := &run{k: k, trusting: true}
	d, err := r.compare(ctx, folder, []area{{folder: folder, base: "."}})
	k.fresh.ScanTook(r.scanning)
	if err != nil {
		return overlap{}, err
	}
	return k.overlap(folder, d), nil
}

// LookAlike tells of folders that were looked at whether they have the files of their
// libraries. All are compared at once, in as much time as a question waits.
func (k *Keeper) LookAlike(ctx context.Context, all []FolderStatus) {
	ctx, cancel := context.WithTimeout(ctx, freshness.Patience)
	defer cancel()
	var group sync.WaitGroup
	for i, f := range k.folders {
		if k.store.Follower(i) == nil || !f.Home.IsShared() || f.IsAway() {
			continue
		}
		group.Go(func() {
			err := k.guard.Catch("compare the folder with its library", func() (err error) {
				all[i].Unlike, err = k.lookAlike(ctx, i)
				return err
			})
			switch {
			case errors.Is(err, context.DeadlineExceeded):
				all[i].Uncompared = "the folder could not be compared with its library in time"
			case err != nil:
				all[i].Uncompared = err.Error()
			}
		})
	}
	group.Wait()
}

// lookAlike tells why a process would leave a folder alone, "" when it would not.
func (k *Keeper) lookAlike(ctx context.Context, folder int) (why string, err error) {
	o, err := k.compareWhole(ctx, folder)
	if err != nil || !o.isUnlike() {
		return "", err
	}
	return k.unlikeNote(folder, o).String(), nil
}

// reconsiderEvery is how often that is looked at, unless scans take long.
const reconsiderEvery = time.Second

// reconsiderSome does so for the folders for which it is time, beside the loop: a scan
// may take long. What has not been given up yet is left for the next time, lest it be
// taken up again before that is noticed.
func (l *loop) reconsiderSome(ctx context.Context) {
	pause := l.k.fresh.ScanPause(reconsiderEvery)
	for i, f := range l.k.folders {
		of, d := l.k.likenessOf(i), &l.duties[i]
		if l.k.fresh.Unlike(i) == nil || d.leads || time.Since(of.at) < pause || f.Silent() > 0 || !d.reconsidered.CompareAndSwap(false, true) {
			continue
		}
		l.group.Go(func() {
			defer d.reconsidered.Store(false)
			if err := l.k.guard.Catch("compare the folder with its library", func() error { return l.k.reconsider(ctx, i) }); err != nil && ctx.Err() == nil {
				l.k.log.Debug("could not compare the folder with its library", "folder", f.Dir(), "error", err)
			}
		})
	}
}

// askOnce compares the folders once that other processes index, so that one which has
// other files is told of before anybody asks.
func (l *loop) askOnce(ctx context.Context) {
	for i, f := range l.k.folders {
		if !f.Home.IsShared() || l.k.fresh.IsAway(i) || l.duties[i].leads {
			continue
		}
		l.group.Go(func() {
			_ = l.k.guard.Catch("compare the folder with its library", func() error {
				return l.k.refreshOther(ctx, i, []area{{folder: i, base: "."}})
			}) // questions do the same, and say what came of it
		})
	}
}
