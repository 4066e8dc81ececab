package engine

import (
	"sync/atomic"
	"time"

	"vademecum/index/compare"
)

// A folder that is missing is looked for at growing intervals: to look may have the
// system try to mount a drive. Questions look at once, whatever these are.
const (
	searchFirst = time.Second
	searchMost  = 10 * time.Second
)

// missingFolder is of a folder that is not there, as the loop has told.
type missingFolder struct {
	logged  bool
	pause   time.Duration // between the last look and the next
	next    time.Time     // when it is looked for again
	looking atomic.Bool
}

// lookForMissing reports folders that are missing and of those that are there again,
// and has the former be looked for.
func (l *maintenanceLoop) lookForMissing() {
	for i, f := range l.e.Folders {
		a := &l.absences[i]
		switch missing := l.e.Fresh.IsMissing(i); {
		case missing && !a.logged:
			a.logged, a.pause, a.next = true, searchFirst, time.Now().Add(searchFirst)
			l.e.Log.Warn("a folder is not there, it is looked for until it is", "error", f.Missing())
		case missing:
			l.searchMissing(i)
		case a.logged:
			a.logged = false
			l.e.Log.Warn("the folder is there again", "folder", f.Dir())
			if l.duties[i].leads {
				l.dirty.addAreas(compare.Area{Folder: i, Base: "."})
			}
		}
	}
}

// searchMissing looks for a folder if it is time, beside the loop: its drive may not answer.
func (l *maintenanceLoop) searchMissing(folder int) {
	a := &l.absences[folder]
	if time.Now().Before(a.next) || !a.looking.CompareAndSwap(false, true) {
		return
	}
	a.pause = min(2*a.pause, searchMost)
	a.next = time.Now().Add(a.pause)
	l.group.Go(func() {
		defer a.looking.Store(false)
		l.e.Folders[folder].Responds() // which notes whether it is missing
	})
}
