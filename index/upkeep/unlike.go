package upkeep

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/say"
	"vademecum/internal/present"
)

// Processes on several machines may give the same library folders that are not the
// same: by a mistyped name, or as a drive is not mounted on one of them. The one that
// indexes would make the library that of its folder, for all. So a process that takes
// over first has to see that most of the documents are files of its folder. When they
// are not it changes nothing, leaves the duty to others, and looks again from time to
// time. From then on it may remove what it has seen go away, as long as it has the duty
// and the folder is the same directory.

// ErrUnlike is matched by errors about a folder that has not the files of its library.
var ErrUnlike = errors.New("the folder has not the files of the library")

// fewMissing is how many documents may be without a file, unless these are all.
const fewMissing = 24

// isUnlike tells whether so many of all documents have no file that the folder is
// probably another one.
func isUnlike(missing, all int) bool {
	return missing > 0 && (missing == all || missing > fewMissing && 2*missing > all)
}

// likeness is what a process has found out about a folder and its library.
type likeness struct {
	since time.Time // when the process got the duty in which it has seen the files
	turns int       // of the folder then, see docs.Folder
	note  *say.Note // why the folder is not indexed; nil: it may be
	at    time.Time // when that was found out
}

// confirm fails when this process, which has the duty to index a folder, must not go on
// with what a comparison has found. Some areas are less than the folder: that they are
// like it does not tell of the rest.
func (r *run) confirm(ctx context.Context, folder int, areas []area, d discrepancy) error {
	k, f := r.k, r.k.folders[folder]
	if !f.Home.IsShared() {
		return nil
	}
	since, _ := f.Home.Indexing().Since()
	turns := f.Turns()
	k.likenessMu.Lock()
	seen := k.likeness[folder]
	k.likenessMu.Unlock()
	if !since.IsZero() && seen.since.Equal(since) && seen.turns == turns {
		return nil
	}
	if missing, all := k.missing(folder, d); isUnlike(missing, all) && !r.replace {
		return k.refrain(folder, missing, all)
	}
	if !wholeOf(areas)[folder] {
		return nil
	}
	k.setLikeness(folder, likeness{since: since, turns: turns})
	k.tellPlace(ctx, folder)
	return nil
}

// missing counts the documents of a library, and those of them that have no file in the
// folder. One that was moved has.
func (k *Keeper) missing(folder int, d discrepancy) (missing, all int) {
	type look struct{ size, modified int64 }
	there := make(map[look]bool)
	for _, f := range append(d.quick, d.slow...) {
		there[look{f.Size, catalog.Nanoseconds(f.ModTime)}] = true
	}
	for _, old := range d.gone {
		if now, ok := k.store.Document(old.At()); !ok || now.ID != old.ID {
			continue // the process that indexes has taken it up
		}
		if old.Skip == "" && !there[look{old.Size, catalog.Nanoseconds(old.Modified())}] {
			missing++
		}
	}
	for _, d := range k.store.DocumentsIn(folder, live.Anywhere) {
		if d.Skip == "" {
			all++
		}
	}
	return missing, all
}

// refrain has this process leave a folder alone.
func (k *Keeper) refrain(folder, missing, all int) error {
	f := k.folders[folder]
	n := k.unlikeNote(folder, missing, all)
	if k.kept.Load() && k.unlike(folder) == nil { // a command says it in its own way
		k.log.Warn("the folder is not indexed: documents of the library are no files of it",
			"folder", f.Dir(), "library", f.Home.Name(), "missing", missing, "documents", all, "to index it nevertheless", say.Replacing(f.Dir()))
	}
	k.setLikeness(folder, likeness{note: &n, at: time.Now()})
	if !k.kept.Load() { // no loop hears of others
		k.progress.HearIndexer(folder, &progress.State{Phase: progress.Ready, Synced: time.Now()})
	}
	return errors.Join(unlikeError{n}, f.Home.Indexing().Decline(true))
}

func (k *Keeper) unlikeNote(folder, missing, all int) say.Note {
	f := k.folders[folder]
	return say.Note{Kind: say.FolderUnlike, Path: f.Dir(), Library: f.Home.Short(), Count: missing, Total: all}
}

// unlikeError says what a note does.
type unlikeError struct{ note say.Note }

func (e unlikeError) Error() string {
	return fmt.Sprintf("%d of the %d documents of %s are no files of %s: nothing was changed", e.note.Count, e.note.Total, e.note.Library, present.Name(e.note.Path))
}

func (e unlikeError) Is(target error) bool { return target == ErrUnlike }

func (k *Keeper) setLikeness(folder int, l likeness) {
	k.likenessMu.Lock()
	defer k.likenessMu.Unlock()
	k.likeness[folder] = l
}

// unlike tells why this process leaves a folder alone, nil when it does not.
func (k *Keeper) unlike(folder int) *say.Note {
	k.likenessMu.Lock()
	defer k.likenessMu.Unlock()
	return k.likeness[folder].note
}

// isAway tells whether what is in a folder is for other processes to index: this one
// does not see the files, or sees others.
func (k *Keeper) isAway(folder int) bool {
	return k.folders[folder].IsAway() || k.unlike(folder) != nil
}

// reconsider looks whether a folder that this process leaves alone has the files of its
// library now, and has it be indexed again then.
func (k *Keeper) reconsider(ctx context.Context, folder int) error {
	missing, all, err := k.compareWhole(ctx, folder)
	if err != nil {
		return err
	}
	if isUnlike(missing, all) {
		_ = k.refrain(folder, missing, all) // as before
		return nil
	}
	k.setLikeness(folder, likeness{})
	k.log.Info("the folder has the files of the library now", "folder", k.folders[folder].Dir(), "library", k.folders[folder].Home.Name())
	return k.folders[folder].Home.Indexing().Decline(false)
}

// compareWhole counts as missing does, and changes nothing.
func (k *Keeper) compareWhole(ctx context.Context, folder int) (missing, all int, err error) {
	r := &run{k: k, trusting: true}
	d, err := r.compare(ctx, folder, []area{{folder: folder, base: "."}})
	k.pace.note(r.scanning)
	if err != nil {
		return 0, 0, err
	}
	missing, all = k.missing(folder, d)
	return missing, all, nil
}

// lookLike tells why a process would leave a folder alone, "" when it would not or the
// folder cannot be looked through in time.
func (k *Keeper) lookLike(ctx context.Context, folder int) string {
	f := k.folders[folder]
	if !f.Home.IsShared() || f.IsAway() {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	missing, all, err := k.compareWhole(ctx, folder)
	if err != nil || !isUnlike(missing, all) {
		return ""
	}
	return k.unlikeNote(folder, missing, all).String()
}

// reconsiderEvery is how often that is looked at, unless scans take long.
const reconsiderEvery = time.Second

// reconsiderSome does so for the folders for which it is time.
func (l *loop) reconsiderSome(ctx context.Context) {
	pause := max(reconsiderEvery, min(sweepEvery, slowShare*l.k.pace.took()))
	for i, f := range l.k.folders {
		l.k.likenessMu.Lock()
		of := l.k.likeness[i]
		l.k.likenessMu.Unlock()
		if of.note == nil || time.Since(of.at) < pause || f.Silent() > 0 {
			continue
		}
		if err := l.k.guard("compare the folder with its library", func() error { return l.k.reconsider(ctx, i) }); err != nil && ctx.Err() == nil {
			l.k.log.Debug("could not compare the folder with its library", "folder", f.Dir(), "error", err)
		}
	}
}

// askOnce compares the folders once that other processes index, so that one which has
// other files is told of before anybody asks.
func (l *loop) askOnce(ctx context.Context) {
	for i, f := range l.k.folders {
		if !f.Home.IsShared() || l.k.isAway(i) || l.duties[i].leads {
			continue
		}
		l.group.Go(func() {
			_ = l.k.guard("compare the folder with its library", func() error {
				return l.k.refreshOther(ctx, i, []area{{folder: i, base: "."}})
			}) // questions do the same, and say what came of it
		})
	}
}
