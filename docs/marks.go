package docs

import (
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"
)

// Marks show how far the events of the file system have been processed. They are files created in a
// directory that is watched by the same means; their events arrive after those of all earlier
// changes (as in Watchman, facebook.github.io/watchman/docs/cookies).

// watchMarks watches the directory of the marks, the files by which processes learn when all earlier
// changes have been reported, and records the marks that are in it already. Its failures are not
// errors: callers that wait for a mark time out.
func (w *Watcher) watchMarks() {
	w.marked.Store(false)
	if w.marks == "" || os.MkdirAll(w.marks, 0o700) != nil || w.notify.Add(w.marks) != nil {
		return
	}
	w.marked.Store(true)
	entries, _ := os.ReadDir(w.marks)
	for _, e := range entries { // there is no event that proves that earlier changes were reported
		w.seen = append(w.seen, e.Name())
		w.notePath(everything)
	}
}

// takeMarkEvent reports whether an event is about the directory of the marks, and records a mark
// that it announces.
func (w *Watcher) takeMarkEvent(event fsnotify.Event) bool {
	switch {
	case w.marks == "":
		return false
	case event.Name == w.marks:
		if event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename) {
			w.unmarked = true // the directory was removed
			w.marked.Store(false)
		}
		return true
	case filepath.Dir(event.Name) != w.marks:
		return false
	}
	if event.Has(fsnotify.Create) {
		w.seen = append(w.seen, filepath.Base(event.Name))
	}
	return true
}

// reportAllAndMarks reports all changes, due or not, and then the marks that were set after them.
func (w *Watcher) reportAllAndMarks(to WatchCallbacks) {
	for err := w.failures.takePreceding(); err != nil; err = w.failures.takePreceding() {
		w.handleError(err)
	}
	marks := w.seen
	w.seen = nil
	var paths []string
	if w.whileCalling(func() { paths = w.takePaths((*changedPaths).TakeAll) }); len(paths) > 0 {
		to.Changed(paths)
	}
	if to.MarkerSeen == nil {
		return
	}
	for _, name := range marks {
		to.MarkerSeen(name)
	}
}
