package docs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A Watcher reports changes below a folder. It can miss some, as the system's
// means of watching are limited: its reports are hints where to scan.
type Watcher struct {
	folder  *Folder
	root    *os.Root              // the directory watched
	notify  *fsnotify.Watcher     // nil if the system has none to give
	dirs    map[string]*ignoreSet // the directories watched
	pending coalescer
	stale   bool // what is ignored or watched has to be found out again
	gone    bool // there is no folder

	mu         sync.Mutex
	incomplete string
}

// Watch starts watching the folder: every change that happens after it has
// returned is reported once Run is called. That not everything can be watched
// is no error, see [Watcher.Incomplete].
func (f *Folder) Watch() (*Watcher, error) {
	w := &Watcher{folder: f, root: f.held()}
	notify, err := fsnotify.NewWatcher()
	switch {
	case err == nil:
		w.notify = notify
	case limitReached(err) != "":
		w.setIncomplete(limitReached(err))
		return w, nil
	default:
		return nil, fmt.Errorf("watch %s: %w", printable(f.dir), err)
	}
	if err := w.refresh(); err != nil {
		notify.Close()
		return nil, fmt.Errorf("watch %s: %w", printable(f.dir), err)
	}
	return w, nil
}

// Incomplete returns why not every folder is watched, or "". It may change
// while Run runs, and is safe to call at any time.
func (w *Watcher) Incomplete() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.incomplete
}

func (w *Watcher) setIncomplete(reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.incomplete = reason
}

// Close stops watching. A Run in progress returns.
func (w *Watcher) Close() error {
	if w.notify == nil {
		return nil
	}
	return w.notify.Close()
}

// Run calls changed, always from the same goroutine, with the slash paths of
// the files and folders that have changed, appeared or gone, relative to the
// folder and sorted. The path "." means that everything should be looked at.
// Changes are collected for a short while. New folders are watched while
// changed does not run, so it should return soon.
//
// Run returns nil when ctx ends or the watcher is closed. It is called once.
func (w *Watcher) Run(ctx context.Context, changed func(paths []string)) error {
	var events chan fsnotify.Event
	var failures chan error
	if w.notify != nil {
		events, failures = w.notify.Events, w.notify.Errors
	}
	timer := time.NewTimer(longestDelay)
	timer.Stop()
	check := time.NewTicker(rootCheck)
	defer check.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case event, ok := <-events:
			if !ok {
				return nil
			}
			w.handle(event)
		case err, ok := <-failures:
			if !ok {
				return nil
			}
			w.fail(err)
		case <-timer.C:
			if w.stale {
				w.stale = false
				if err := w.refresh(); err != nil {
					w.setIncomplete(err.Error())
				}
			}
			w.checkRoot()
			changed(w.pending.take())
		case <-check.C:
			w.checkRoot()
		}
		if at, ok := w.pending.due(); ok {
			timer.Reset(time.Until(at))
		}
	}
}

// report records that path has changed.
func (w *Watcher) report(path string) {
	w.pending.add(strings.ToValidUTF8(path, "\uFFFD"), time.Now())
}

// handle notes what an event of the system means for the folder.
func (w *Watcher) handle(event fsnotify.Event) {
	rel, err := filepath.Rel(w.folder.dir, event.Name)
	if err != nil {
		return
	}
	p := filepath.ToSlash(rel)
	gone := event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename)
	if p == everything {
		if gone {
			w.report(everything)
		}
		return
	}
	if event.Op&^fsnotify.Chmod == 0 {
		return
	}
	set, watched := w.dirs[path.Dir(p)]
	if !watched {
		return // it was below a folder that has been reported as gone
	}
	if slices.Contains(ignoreFiles[:], path.Base(p)) {
		w.stale = true
		w.report(everything)
		return
	}
	_, isDir := w.dirs[p]
	if isDir && gone {
		w.drop(p)
		w.report(p)
		return
	}
	if info, err := w.root.Lstat(p); err == nil {
		isDir = info.IsDir()
	}
	if set.excludes(p, isDir) {
		return
	}
	if isDir && event.Has(fsnotify.Create) {
		w.watchTree(p, set)
	}
	w.report(p)
}

// rootCheck is how often the folder itself is looked at: Linux sends no event
// when a folder that is open is removed, and none when another takes its place.
const rootCheck = 2 * time.Second

// checkRoot reports when the folder went away, and when one is there again,
// which it then watches instead.
func (w *Watcher) checkRoot() {
	root, err := w.folder.current()
	switch {
	case err != nil && !w.gone:
		w.gone = true
		w.report(everything)
	case err == nil && root != w.root:
		w.gone, w.root = false, root
		w.drop(everything)
		if w.notify != nil {
			if err := w.refresh(); err != nil {
				w.setIncomplete(err.Error())
			}
		}
		w.report(everything)
	}
}

// fail notes an error of the system's means of watching.
func (w *Watcher) fail(err error) {
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		w.stale = true // folders may have come and gone unseen
		w.report(everything)
		return
	}
	w.setIncomplete("watching failed: " + err.Error())
}

// refresh watches every folder that is not ignored, and no other.
func (w *Watcher) refresh() error {
	w.setIncomplete("")
	before := w.dirs
	w.dirs = make(map[string]*ignoreSet)
	t := w.tree()
	err := t.walk(everything, nil)
	for dir := range before {
		if _, still := w.dirs[dir]; !still {
			w.unwatch(dir)
		}
	}
	return err
}

// watchTree watches a folder that is new, and those in it.
func (w *Watcher) watchTree(dir string, parent *ignoreSet) {
	t := w.tree()
	// Its only errors are those of the context and of the root of the folder.
	_ = t.walk(dir, parent)
}

// tree returns a walk that watches each folder before it is read: what is
// created in it later is an event, what was there before is found.
func (w *Watcher) tree() tree {
	return tree{ctx: context.Background(), root: w.root, enter: w.watch, dirs: w.dirs}
}

func (w *Watcher) watch(dir string) {
	err := w.notify.Add(w.abs(dir))
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, fsnotify.ErrClosed):
		// What cannot be read need not be watched.
		return
	}
	reason := limitReached(err)
	if reason == "" {
		reason = "watch " + printable(dir) + ": " + cause(err).Error()
	}
	w.setIncomplete(reason)
	w.report(everything)
}

// drop stops watching a folder that is gone, and those that were in it.
func (w *Watcher) drop(dir string) {
	for d := range w.dirs {
		if dir == everything || d == dir || strings.HasPrefix(d, dir+"/") {
			w.unwatch(d)
			delete(w.dirs, d)
		}
	}
}

func (w *Watcher) unwatch(dir string) {
	// The system has dropped the watch by itself if the folder was deleted.
	_ = w.notify.Remove(w.abs(dir))
}

func (w *Watcher) abs(dir string) string {
	return filepath.Join(w.folder.dir, filepath.FromSlash(dir))
}

// limitReached names the limit of the system that err is about, or returns "".
func limitReached(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the system's limit of watches is reached"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "the system's limit of open files or watchers is reached"
	}
	return ""
}
