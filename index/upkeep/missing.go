package upkeep

import (
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"vademecum/docs"
	"vademecum/index/live"
	"vademecum/index/say"
)

// A folder that is not there when a server starts, or goes away while it serves, is
// left alone until it is there: what is known of it stays, and answers say so. All else
// goes on.

// isMissing tells whether a folder could not be looked at when that was tried last. What
// is in it has to be compared as a whole afterwards.
func (k *Keeper) isMissing(folder int) bool {
	missing := k.folders[folder].Missing() != nil
	if missing {
		k.absent[folder].Store(true)
	}
	return missing
}

// clearAbsent notes that folders have been compared as a whole.
func (k *Keeper) clearAbsent(whole map[int]bool) {
	for i := range whole {
		k.absent[i].Store(false)
	}
}

// isAnyBack tells whether one of the folders of areas is there again and has not been
// compared since: a question waits for that, however long scans take.
func (k *Keeper) isAnyBack(areas []area) bool {
	return slices.ContainsFunc(areas, func(a area) bool { return k.absent[a.folder].Load() })
}

// areAllMissing tells whether there is no folder to look at.
func (k *Keeper) areAllMissing() bool {
	for i := range k.folders {
		if !k.isMissing(i) {
			return false
		}
	}
	return len(k.folders) > 0
}

// nothing says why there is nothing to answer from, if that is so: no folder is there,
// and nothing is known of any.
func (k *Keeper) nothing() error {
	if !k.areAllMissing() || k.store.CountDocuments() > 0 {
		return nil
	}
	all := make(map[int]say.Note)
	for i, f := range k.folders {
		if why := f.Missing(); why != nil {
			all[i] = k.missingNote(i, why)
		}
	}
	return Unlike{Folders: all}
}

// IsMissing tells whether an error is about folders that are not there, and no others.
func IsMissing(err error) bool {
	var unlike Unlike
	if !errors.As(err, &unlike) {
		return false
	}
	for _, n := range unlike.Folders {
		if n.Kind != say.FolderMissing {
			return false
		}
	}
	return true
}

// missingNote tells that a folder is not there, and whether something is known of it.
func (k *Keeper) missingNote(folder int, why error) say.Note {
	known := k.store.DocumentsIn(folder, live.Anywhere)
	return say.Note{Kind: say.FolderMissing, Path: k.folders[folder].Dir(), Why: why.Error(), Count: len(known)}
}

// sparingMissing is an error about a folder, as Unlike if that is not there.
func (k *Keeper) sparingMissing(folder int, err error) error {
	var missing docs.Missing
	if !errors.As(err, &missing) {
		return err
	}
	k.absent[folder].Store(true)
	return Unlike{Folders: map[int]say.Note{folder: k.missingNote(folder, missing)}}
}

// A folder that is missing is looked for at growing intervals: to look may have the
// system try to mount a drive. Questions look at once, whatever these are.
const (
	searchFirst = time.Second
	searchMost  = 10 * time.Second
)

// absence is of a folder that is not there, as the loop has told.
type absence struct {
	told    bool
	pause   time.Duration // between the last look and the next
	next    time.Time     // when it is looked for again
	looking atomic.Bool
}

// lookForMissing tells of folders that are missing and of those that are there again,
// and has the former be looked for.
func (l *loop) lookForMissing() {
	for i, f := range l.k.folders {
		a := &l.absences[i]
		switch missing := l.k.isMissing(i); {
		case missing && !a.told:
			a.told, a.pause, a.next = true, searchFirst, time.Now().Add(searchFirst)
			l.k.log.Warn("a folder is not there, it is looked for until it is", "error", f.Missing())
		case missing:
			l.search(i)
		case a.told:
			a.told = false
			l.k.log.Warn("the folder is there again", "folder", f.Dir())
			if l.duties[i].leads {
				l.add(area{folder: i, base: "."})
			}
		}
	}
}

// search looks for a folder if it is time, beside the loop: its drive may not answer.
func (l *loop) search(folder int) {
	a := &l.absences[folder]
	if time.Now().Before(a.next) || !a.looking.CompareAndSwap(false, true) {
		return
	}
	a.pause = min(2*a.pause, searchMost)
	a.next = time.Now().Add(a.pause)
	l.group.Go(func() {
		defer a.looking.Store(false)
		l.k.folders[folder].Answers() // which notes whether it is missing
	})
}
