package docs

import (
	"context"
	"errors"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/fsnotify/fsnotify"

	"vademecum/docs/ignore"
	"vademecum/internal/base/message"
)

// Watcher reports changes below a folder. It can miss some, as the system's notification facilities
// are limited: its reports are hints about where to scan.
type Watcher struct {
	folder   *Folder
	root     *os.Root               // the directory being watched
	dirs     map[string]*watchedDir // directories to watch, by slash path
	held     openDirs
	young    map[string]bool // slash paths of new files; an index is recognised only once written to
	pending  changedPaths
	stale    bool         // the set of watched directories must be determined again
	broken   bool         // watching has failed and must be restarted
	untidy   bool         // directories appeared, disappeared or moved since syncNotifier
	gone     bool         // the folder does not exist
	unmarked bool         // the directory of the marks was removed
	failures *watchErrors // errors of the system's notifier; nil if there is no notifier
	call     *pendingCall // the file system call in progress
	// directory for marks: files that a process creates there are reported after all earlier
	// changes; "" if there are no marks
	marks   string
	seen    []string // names of marks to report
	listing bool     // the files are to be listed during the next walk
	found   Listing

	pause time.Duration // interval between lookups of a folder that is gone
	next  time.Time     // time of the next lookup

	marked, shared atomic.Bool // whether marks are seen, and whether other machines may change the folder without events

	mu         sync.Mutex
	notify     *fsnotify.Watcher // nil if the system provides none
	told       <-chan fsnotify.Event
	incomplete message.Message
	closed     chan struct{}
}

const (
	// rootCheck is how often the folder itself is checked: Linux sends no event when an open folder
	// is removed, and none when another takes its place.
	rootCheck = time.Second
	// goneCheck is how often a folder that has been gone for long is looked up.
	goneCheck = 10 * time.Second
	// retryEvery is how often watching is retried for directories that could not be watched.
	retryEvery = 20 * time.Second
	// mostYoung is how many new files are remembered.
	mostYoung = 1000
)

// WatchCallbacks are the functions that a Watcher calls.
type WatchCallbacks struct {
	Changed    func(paths []string)
	MarkerSeen func(name string) // called for a mark, after Changed for the changes before it; may be nil
}

// Watch starts watching the folder: every change after it returns is reported once Run is called.
// It is not an error if some directories cannot be watched, see [Watcher.IncompleteReason].
//
// A process that needs all changes up to now sets a mark: a new file in the directory marksDir,
// which is created if necessary and must not be inside a watched one. Run reports the mark after
// the changes before it. There are no marks if marksDir is "" or the system does not report changes
// in order.
func (f *Folder) Watch(marksDir string) (*Watcher, error) {
	if f.IsRemote() {
		return nil, ErrRemoteFolder
	}
	if !inOrderOfTime {
		marksDir = ""
	}
	w := &Watcher{folder: f, marks: marksDir, listing: true, closed: make(chan struct{})}
	turns := f.RootReplacementCount()
	var err error
	w.whileCalling(func() {
		if w.root, err = f.lastOrCurrentRoot(); err != nil {
			w.gone, err = true, nil // until it appears
			return
		}
		err = w.watchAllAnew()
	})
	w.listing, w.found.RootReplacementCount = false, turns
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// InitialListing returns the files at the time Watch was called: the result of a scan of the whole
// folder, without a second walk. It is empty if the folder could not be read. It can be called
// once, before Run.
func (w *Watcher) InitialListing() Listing {
	defer func() { w.found = Listing{} }()
	return w.found
}

// whileCalling runs do, which calls the file system, as a pending call.
func (w *Watcher) whileCalling(do func()) {
	w.call = w.folder.calls.add()
	defer w.call.end()
	do()
}

// IncompleteReason returns why not every directory is watched, or "". The reason may change while Run
// runs, which then reports everything: call it whenever the reason is shown. It is safe to call at
// any time.
func (w *Watcher) IncompleteReason() message.Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.incomplete
}

// MarkersCoverAllChanges reports whether a mark guarantees that every earlier change was reported: the whole
// folder is watched, no other machine changes it, and marks are seen.
func (w *Watcher) MarkersCoverAllChanges() bool {
	return w.IncompleteReason() == "" && w.marked.Load() && !w.shared.Load()
}

// setIncomplete sets the reason. If it has changed, everything is reported: some changes may have
// been missed, and the report makes the caller ask for the new reason.
func (w *Watcher) setIncomplete(reason message.Message) {
	w.mu.Lock()
	changed := w.incomplete != reason
	w.incomplete = reason
	w.mu.Unlock()
	if changed {
		w.notePath(everything)
	}
}

// Close stops watching. A Run in progress returns.
func (w *Watcher) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-w.closed:
		return nil
	default:
		close(w.closed)
	}
	defer w.held.releaseAll() // after the notifier has stopped using them
	if w.notify == nil {
		return nil
	}
	return w.notify.Close()
}

// Run calls callbacks.Changed, always from the same goroutine, with the slash paths of the files
// and folders that were changed, created or removed, relative to the folder and sorted. The path "."
// means that everything may have changed. Changes are collected for a short while, and those of a
// file that is still being written for longer each time; a mark ends the waiting. New folders are
// not watched while a callback runs, so callbacks should return soon.
//
// Run returns nil when ctx ends or the watcher is closed. It must be called only once.
func (w *Watcher) Run(ctx context.Context, callbacks WatchCallbacks) error {
	timer := time.NewTimer(rootCheck)
	timer.Stop()
	check := time.NewTicker(rootCheck)
	defer check.Stop()
	retry := time.NewTicker(retryEvery)
	defer retry.Stop()
	for {
		if at, ok := w.pending.NextDue(); ok {
			timer.Reset(time.Until(at))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-w.closed:
			return nil
		case event := <-w.events():
			w.whileCalling(func() { w.handleEvent(event) })
		case err := <-w.failures.channel():
			w.handleError(err)
		case <-timer.C:
			var paths []string
			if w.whileCalling(func() { paths = w.takePaths((*changedPaths).TakeDue) }); len(paths) > 0 {
				callbacks.Changed(paths)
			}
		case <-check.C:
			w.whileCalling(w.checkRoot)
		case <-retry.C:
			w.whileCalling(w.retryWatching)
		}
		if len(w.seen) > 0 {
			w.reportAllAndMarks(callbacks)
		}
	}
}

// events returns the channel of the system's events, or nil if there is no notifier.
func (w *Watcher) events() <-chan fsnotify.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.notify == nil {
		return nil
	}
	return w.told
}

// takePaths returns the paths to report now, taken by due, which is TakeDue or TakeAll of
// changedPaths. They are watched by then, so that a change after the caller has scanned them causes
// another event.
func (w *Watcher) takePaths(due func(*changedPaths, time.Time) []string) []string {
	w.checkRoot()
	if w.untidy && !w.stale {
		w.syncNotifier()
	}
	paths := due(&w.pending, time.Now())
	if w.stale && slices.Contains(paths, everything) {
		w.restartWatching()
	}
	return paths
}

// notePath records that path has changed.
func (w *Watcher) notePath(path string) {
	w.pending.Add(strings.ToValidUTF8(path, "\uFFFD"), time.Now())
}

// handleEvent records what an event of the system means for the folder.
func (w *Watcher) handleEvent(event fsnotify.Event) {
	if w.takeMarkEvent(event) {
		return
	}
	p, ok := w.slashPathOf(event.Name)
	if !ok || event.Op == 0 {
		return
	}
	gone := event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename)
	attributes := event.Op == fsnotify.Chmod
	if p == everything {
		if gone || attributes {
			w.reportAllAndRewatch()
		}
		return
	}
	parent := w.dirs[path.Dir(p)]
	if parent == nil {
		return // in a folder that has already been reported as gone
	}
	if slices.Contains(ignore.FileNames, path.Base(p)) && !attributes {
		w.reportAllAndRewatch()
		return
	}
	if !utf8.ValidString(p) { // it is not read, and only a scan of its folder finds it
		if event.Op&(fsnotify.Create|fsnotify.Remove|fsnotify.Rename) != 0 {
			w.notePath(path.Dir(p))
		}
		return
	}
	isDir := w.dirs[p] != nil
	if isDir && gone {
		w.unwatchDir(p)
		w.notePath(p)
		return
	}
	info, err := w.root.Lstat(p)
	if err == nil {
		isDir = info.IsDir()
	}
	if w.unwatchIfFilled(p) || parent.ignore.Excludes(p, isDir, hasFileIn(w.root)) {
		return
	}
	files := w.folder.findOpenIndexFiles()
	switch {
	case isDir && files.isCacheDir(p):
		return
	case !isDir && files.belongsToAnyIndex(w.root, p, info):
		if w.young[p] { // it was taken for a document, and so may be the files beside it
			delete(w.young, p)
			w.notePath(path.Dir(p))
		}
		return
	}
	if !isDir && event.Has(fsnotify.Create) {
		if len(w.young) >= mostYoung {
			clear(w.young)
		}
		w.young[p] = true
	}
	if isDir && (attributes || event.Has(fsnotify.Create)) {
		// The directory is new, was replaced, or may have become readable.
		w.unwatchDir(p)
		w.watchNewDir(p, parent.ignore)
	}
	w.notePath(p)
}

// reportAllAndRewatch reports everything, and has the watched directories determined again.
func (w *Watcher) reportAllAndRewatch() {
	w.stale = true
	w.notePath(everything)
}

// checkRoot reports when the folder disappears and when it reappears, and then watches the new
// directory instead. It also recreates the directory of the marks.
func (w *Watcher) checkRoot() {
	if w.unmarked && w.events() != nil {
		w.unmarked = false
		w.watchMarks()
	}
	if w.gone && w.folder.MissingError() != nil && time.Now().Before(w.next) { // it has not been found again
		return
	}
	root, err := w.folder.currentRoot()
	switch {
	case err != nil && !w.gone:
		w.gone, w.pause = true, rootCheck
		w.notePath(everything)
	case err != nil: // a lookup may make the system try to mount a drive
		w.pause = min(2*w.pause, goneCheck)
		w.next = time.Now().Add(w.pause)
	case err == nil && (w.gone || root != w.root):
		w.gone, w.root = false, root
		w.reportAllAndRewatch()
	}
}

// handleError acts on an error of the system's notifier: if events were lost, it reports all changes
// and watches the directories anew; otherwise, watching is incomplete until the next retry.
func (w *Watcher) handleError(err error) {
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		w.reportAllAndRewatch() // directories may have appeared and disappeared unnoticed
		return
	}
	w.broken = true // until the next retry
	w.setIncomplete(message.New("watching failed: %v", err))
}

// retryWatching tries again to watch everything.
func (w *Watcher) retryWatching() {
	switch {
	case w.IncompleteReason() == "" || w.gone:
	case w.broken || w.stale || w.events() == nil:
		w.restartWatching()
	default:
		w.syncNotifier()
	}
}

// restartWatching starts watching again from scratch.
func (w *Watcher) restartWatching() {
	if err := w.watchAllAnew(); err != nil && !w.gone {
		w.broken = true
		w.setIncomplete(message.FromError(err))
	}
}
