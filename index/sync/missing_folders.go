package sync

import (
	"time"

	"vademecum/index/freshness"
	"vademecum/index/notice"
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
	pause   time.Duration   // between the last attempt and the next
	next    time.Time       // time of the next attempt
	attempt <-chan struct{} // closed when the last attempt has ended; nil if there was none
}

// isMissing reports whether a folder could not be read at the last attempt. If so, it records that
// the folder must be compared as a whole when it is back.
func (s *Syncer) isMissing(folder int) bool {
	isMissing := s.Folders[folder].MissingError() != nil
	if isMissing {
		s.recordAway(folder)
	}
	return isMissing
}

// isUnresponsive reports whether the file system of a folder does not answer. If so, it records that the
// folder must be compared as a whole when it answers.
func (s *Syncer) isUnresponsive(folder int) bool {
	isUnresponsive := s.Folders[folder].UnresponsiveFor() > 0
	if isUnresponsive {
		s.recordAway(folder)
	}
	return isUnresponsive
}

// recordAway records that a folder must be compared as a whole when it is back.
func (s *Syncer) recordAway(folder int) {
	s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.IsUncomparedSinceAbsence = true })
}

// missingNote returns a note that a folder is missing, and records that the folder must be compared as a
// whole when it is back.
func (s *Syncer) missingNote(folder int, why error) notice.Note {
	s.recordAway(folder)
	return freshness.MissingNote(s.Folders[folder].Dir(), why, s.Store.CountFolder(folder).Documents)
}

// recordComparedFolders records that folders were compared as a whole, so that those that were away
// need no comparison any more.
func (s *Syncer) recordComparedFolders(whole map[int]bool) {
	for i := range whole {
		s.FreshnessPublisher.UpdateFolder(i, func(f *freshness.Folder) { f.IsUncomparedSinceAbsence = false })
	}
}

// lookForMissing logs which folders are missing and which are back, and starts checks for the
// missing ones.
func (l *maintenanceLoop) lookForMissing() {
	for i, f := range l.s.Folders {
		a := &l.absences[i]
		switch missing := l.s.isMissing(i); {
		case missing && !a.logged:
			a.logged, a.pause, a.next = true, searchFirst, time.Now().Add(searchFirst)
			l.s.log.Warn("a folder is not there, it is looked for until it is", "error", f.MissingError())
		case missing:
			l.searchMissing(i)
		case a.logged:
			a.logged = false
			l.s.log.Warn("the folder is there again", "folder", f.Dir())
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
	if time.Now().Before(a.next) || isUnderWay(a.attempt) {
		return
	}
	a.pause = min(2*a.pause, searchMost)
	a.next = time.Now().Add(a.pause)
	a.attempt = l.begin(func() {
		l.s.Folders[folder].IsResponding() // records whether it is missing
	})
}
