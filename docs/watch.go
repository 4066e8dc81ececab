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

	"github.com/fsnotify/fsnotify"

	"vademecum/docs/ignore"
	"vademecum/internal/base/message"
)

// Watcher reports changes below a folder. It can miss some, as the system's means of
// watching are limited: its reports are hints where to scan.
type Watcher struct {
	folder   *Folder
	root     *os.Root               // the directory watched
	dirs     map[string]*watchedDir // those to be watched, by slash path
	held     openDirs
	young    map[string]bool // slash paths of new files: an index is recognised only once it was written to
	pending  ChangedPaths
	stale    bool         // the watched directories must be determined again
	broken   bool         // it cannot continue, and must be restarted
	untidy   bool         // folders came, went or moved since tidy
	gone     bool         // there is no folder
	unmarked bool         // there is no directory for marks any more
	failures *watchErrors // of the system's means of watching; nil if that has none to give
	call     *pendingCall // to the file system, under way
	marks    string       // directory in which marks are set, see Watch; "" for none
	seen     []string     // names of marks to report
	listing  bool         // the files must be listed on the way
	found    Listing

	pause time.Duration // between the last look for a folder that is gone and the next
	next  time.Time     // when that is

	marked, shared atomic.Bool // marks are seen; others may change the folder unseen

	mu         sync.Mutex
	notify     *fsnotify.Watcher // nil if the system has none to give
	told       <-chan fsnotify.Event
	incomplete message.Message
	closed     chan struct{}
}

const (
	// rootCheck is how often the folder itself is looked at: Linux sends no
	// event when a folder that is open is removed, and none when another takes
	// its place.
	rootCheck = time.Second
	// goneCheck is how often a folder is looked for that has not been there for long.
	goneCheck = 10 * time.Second
	// retryEvery is how often it is tried to watch what could not be watched.
	retryEvery = 20 * time.Second
	// mostYoung is how many new files are remembered.
	mostYoung = 1000
)

// WatchCallbacks are what a Watcher calls.
type WatchCallbacks struct {
	Changed func(paths []string)
	Marked  func(name string) // reports a mark, after the changes before it; may be nil
}

// Watch starts watching the folder: every change that happens after it has returned is
// reported once Run is called. That not everything can be watched is no error, see
// [Watcher.Incomplete].
//
// A process that needs all changes up to now sets a mark: a new file in the directory
// marks, which is created if necessary and must not be in a watched one. Run reports it
// after the changes before it. With "" there are no marks, nor where the system does not
// keep the order of changes.
func (f *Folder) Watch(marks string) (*Watcher, error) {
	if f.IsRemote() {
		return nil, ErrAway
	}
	if !inOrderOfTime {
		marks = ""
	}
	w := &Watcher{folder: f, marks: marks, listing: true, closed: make(chan struct{})}
	turns := f.ReplacementCount()
	var err error
	w.whileCalling(func() {
		if w.root, err = f.lastOrCurrentRoot(); err != nil {
			w.gone, err = true, nil // until it is there
			return
		}
		err = w.watchAllAnew()
	})
	w.listing, w.found.Turns = false, turns
	if err != nil {
		w.Close()
		return nil, err
	}
	return w, nil
}

// InitialListing returns the files at the time Watch was called: a scan of the whole folder
// that needs no second walk. It is empty where the folder could not be read, and available
// once, before Run.
func (w *Watcher) InitialListing() Listing {
	defer func() { w.found = Listing{} }()
	return w.found
}

// whileCalling does what calls the file system.
func (w *Watcher) whileCalling(do func()) {
	w.call = w.folder.calls.add()
	defer w.call.end()
	do()
}

// Incomplete returns why not every folder is watched, or "". It may change while Run
// runs, which reports everything afterwards: call it whenever the reason is shown. It is
// safe to call at any time.
func (w *Watcher) Incomplete() message.Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.incomplete
}

// MarksCoverAll reports whether a mark guarantees that every earlier change was reported:
// all of the folder is watched, no other machine changes it, and marks are seen.
func (w *Watcher) MarksCoverAll() bool {
	return w.Incomplete() == "" && w.marked.Load() && !w.shared.Load()
}

// setIncomplete reports everything if the reason is another one: some changes
// may not have been seen, and the caller learns it in passing.
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
	defer w.held.releaseAll() // when nothing more is watched by them
	if w.notify == nil {
		return nil
	}
	return w.notify.Close()
}

// Run calls reports.Changed, always from the same goroutine, with the slash paths of the
// files and folders that have changed, appeared or gone, relative to the folder and
// sorted. The path "." means that everything may have changed. Changes are collected for
// a short while, and those of a file that is still being written for longer each time; a
// mark ends the waiting. New folders are watched while no report is made, so these should
// return soon.
//
// Run returns nil when ctx ends or the watcher is closed. It is called once.
func (w *Watcher) Run(ctx context.Context, to WatchCallbacks) error {
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
			if w.whileCalling(func() { paths = w.takePaths((*ChangedPaths).Take) }); len(paths) > 0 {
				to.Changed(paths)
			}
		case <-check.C:
			w.whileCalling(w.checkRoot)
		case <-retry.C:
			w.whileCalling(w.retryWatching)
		}
		if len(w.seen) > 0 {
			w.reportAllAndMarks(to)
		}
	}
}

// events returns the events of the system, or nil if it has none to give.
func (w *Watcher) events() <-chan fsnotify.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.notify == nil {
		return nil
	}
	return w.told
}

// takePaths returns the paths to report now. They are watched by then, so that a change
// after the caller has looked is another event.
func (w *Watcher) takePaths(due func(*ChangedPaths, time.Time) []string) []string {
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

// handleEvent notes what an event of the system means for the folder.
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
		return // it was below a folder that has been reported as gone
	}
	if slices.Contains(ignore.Files, path.Base(p)) && !attributes {
		w.reportAllAndRewatch()
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
		if w.young[p] { // it was taken for a document, and those beside it may have been
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
		// It is new, another one, or may have become readable.
		w.unwatchDir(p)
		w.watchNewDir(p, parent.ignore)
	}
	w.notePath(p)
}

// reportAllAndRewatch determines again what to watch, and reports everything.
func (w *Watcher) reportAllAndRewatch() {
	w.stale = true
	w.notePath(everything)
}

// checkRoot reports when the folder went away, and when one is there again,
// which it then watches instead. The directory of the marks is made again too.
func (w *Watcher) checkRoot() {
	if w.unmarked && w.events() != nil {
		w.unmarked = false
		w.watchMarks()
	}
	if w.gone && w.folder.Missing() != nil && time.Now().Before(w.next) { // it has not reappeared meanwhile
		return
	}
	root, err := w.folder.currentRoot()
	switch {
	case err != nil && !w.gone:
		w.gone, w.pause = true, rootCheck
		w.notePath(everything)
	case err != nil: // to look may have the system try to mount a drive
		w.pause = min(2*w.pause, goneCheck)
		w.next = time.Now().Add(w.pause)
	case err == nil && (w.gone || root != w.root):
		w.gone, w.root = false, root
		w.reportAllAndRewatch()
	}
}

// handleError notes an error of the system's means of watching.
func (w *Watcher) handleError(err error) {
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		w.reportAllAndRewatch() // folders may have come and gone unseen
		return
	}
	w.broken = true // until the next retry
	w.setIncomplete(message.New("watching failed: %v", err))
}

// retryWatching tries again to watch everything.
func (w *Watcher) retryWatching() {
	switch {
	case w.Incomplete() == "" || w.gone:
	case w.broken || w.stale || w.events() == nil:
		w.restartWatching()
	default:
		w.syncNotifier()
	}
}

// restartWatching starts watching again.
func (w *Watcher) restartWatching() {
	if err := w.watchAllAnew(); err != nil && !w.gone {
		w.broken = true
		w.setIncomplete(message.OfError(err))
	}
}
