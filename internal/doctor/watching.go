package doctor

import (
	"context"
	"fmt"

	"github.com/fsnotify/fsnotify"

	"vademecum/index/notice"
)

// checkWatching tells whether the system lets folders be watched, and as many of them as
// there are.
func (s *examination) checkWatching(_ context.Context, tell func(Finding)) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		tell(Finding{Warning, "watching", fmt.Sprintf("the system lets nothing more be watched: %v", err), tooFewWatchers})
		return
	}
	defer watcher.Close()
	tell(watchLimitFinding(s.directories, maxWatches()))
}

// watchLimitFinding compares the folders that are to be watched with the system's limit, 0 for
// none.
func watchLimitFinding(needed, limit int) Finding {
	switch {
	case limit > 0 && needed > limit:
		return Finding{Warning, "watching", fmt.Sprintf("%s, and the system watches %d at most: changes are found by scans, some seconds late", notice.CountNoun(needed, "folder"), limit), tooFewWatches}
	case limit > 0 && needed > limit/2:
		return Finding{OK, "watching", fmt.Sprintf("%s of the %d that the system watches at most, together with those of other programs", notice.CountNoun(needed, "folder"), limit), ""}
	}
	return Finding{OK, "watching", fmt.Sprintf("%s can be watched", notice.CountNoun(needed, "folder")), ""}
}
