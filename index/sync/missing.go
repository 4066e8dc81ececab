package sync

import (
	"sync/atomic"
	"time"
)

// Pauses between checks for a missing folder. They grow because a check may make the system try to
// mount a drive. Queries check at once, regardless of the pause.
const (
	searchFirst = time.Second
	searchMost  = 10 * time.Second
)

// missingFolder is the state of a missing folder in the maintenance loop.
type missingFolder struct {
	logged  bool
	pause   time.Duration // between the last attempt and the next
	next    time.Time     // time of the next attempt
	looking atomic.Bool
}

// lookForMissing logs which folders are missing and which are back, and starts checks for the
// missing ones.
func (l *maintenanceLoop) lookForMissing() {
	for i, f := range l.s.Folders {
		a := &l.absences[i]
		switch missing := l.s.Fresh.IsMissing(i); {
		case missing && !a.logged:
			a.logged, a.pause, a.next = true, searchFirst, time.Now().Add(searchFirst)
			l.s.Log.Warn("a folder is not there, it is looked for until it is", "error", f.Missing())
		case missing:
			l.searchMissing(i)
		case a.logged:
			a.logged = false
			l.s.Log.Warn("the folder is there again", "folder", f.Dir())
			if l.duties[i].leads {
				l.dirty.addAreas(Subtree{Folder: i, Base: "."})
			}
		}
	}
}

// searchMissing checks for a folder if it is time, outside the loop because its drive may not
// respond.
func (l *maintenanceLoop) searchMissing(folder int) {
	a := &l.absences[folder]
	if time.Now().Before(a.next) || !a.looking.CompareAndSwap(false, true) {
		return
	}
	a.pause = min(2*a.pause, searchMost)
	a.next = time.Now().Add(a.pause)
	l.group.Go(func() {
		defer a.looking.Store(false)
		l.s.Folders[folder].Responds() // records whether it is missing
	})
}
