package doctor

import (
	"context"

	"github.com/fsnotify/fsnotify"

	"vademecum/internal/base/message"
)

// checkWatching reports whether the system can watch all folders.
func (s *examination) checkWatching(_ context.Context, report func(Finding)) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		report(Finding{LevelWarning, aboutWatching, message.New("the system allows no more watches: %v", err), tooFewWatchers()})
		return
	}
	defer watcher.Close()
	report(watchLimitFinding(s.directories, maxWatches()))
}

// watchLimitFinding returns a finding on whether the number of folders to watch is within the limit
// of the system; a limit of 0 means none.
func watchLimitFinding(needed, limit int) Finding {
	folders := message.New("%d folders", needed)
	switch {
	case limit > 0 && needed > limit:
		return Finding{LevelWarning, aboutWatching, message.New("%v, and the system watches %d at most: changes are found by scans, some seconds late", folders, limit), tooFewWatches()}
	case limit > 0 && needed > limit/2:
		return Finding{LevelOK, aboutWatching, message.New("%v of at most %d that the system can watch, including those of other programs", folders, limit), ""}
	}
	return Finding{LevelOK, aboutWatching, message.New("%v can be watched", folders), ""}
}
