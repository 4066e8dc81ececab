package docs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"vademecum/docs/ignore"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// A watchedDir is one directory of a folder that is watched.
type watchedDir struct {
	ignore *ignore.RuleSet
	subs   map[string]bool // slash paths of its watched subdirectories
}

// watchAllAnew watches exactly the directories that are not ignored. It starts from scratch: after
// events were lost, the system may have a directory under its earlier name, and would keep
// reporting that name.
func (w *Watcher) watchAllAnew() error {
	w.stale, w.untidy, w.broken = false, false, false
	w.shared.Store(false)
	w.held.releaseAll()
	w.dirs, w.young = make(map[string]*watchedDir), make(map[string]bool)
	reason, err := w.replaceNotifier()
	switch {
	case err != nil || reason != "":
	case w.hasMoreEntriesThan(maxWatched()):
		w.broken, reason = true, message.New("the folder has more files than this system can watch")
	default:
		reason, err = w.watchAll()
	}
	if err != nil {
		return fmt.Errorf("watch %s: %w", present.QuoteName(w.folder.dir), underlyingError(err))
	}
	w.setIncomplete(reason)
	return nil
}

// replaceNotifier replaces the system's notifier. If a limit of the system prevents a new one,
// reason names it.
func (w *Watcher) replaceNotifier() (reason message.Message, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.notify != nil {
		w.notify.Close() // before the new one is created, as their number is limited
		w.notify = nil
	}
	select {
	case <-w.closed:
		return "", fsnotify.ErrClosed
	default:
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		if reason := limitReason(err); reason != "" {
			return reason, nil
		}
		return "", err
	}
	w.notify, w.failures = notify, receiveWatchErrors(notify.Errors)
	w.told = eventsOf(notify, w.failures)
	w.watchMarks()
	return "", nil
}

// hasMoreEntriesThan reports whether the folder has more than n files and directories.
func (w *Watcher) hasMoreEntriesThan(n int) bool {
	if n == math.MaxInt {
		return false
	}
	var count atomic.Int64
	t := w.newTreeWalker(func(root *os.Root, dir string) ([]fs.DirEntry, error) {
		entries, err := w.readDirNames(root, dir)
		count.Add(int64(len(entries)))
		return entries, err
	})
	if _, err := t.walk(everything, ignoredAbove(w.folder.real)); err != nil {
		return false // watching will report the error
	}
	return count.Load() > int64(n)
}

// watchErrors receives the errors of the system's notifier without ever blocking the sender, which
// may hold a lock that the receiver needs. It may drop errors: one is as good as many.
type watchErrors struct {
	errs  chan error
	asked chan chan struct{}
	ended chan struct{}
}

func receiveWatchErrors(from <-chan error) *watchErrors {
	f := &watchErrors{errs: make(chan error, 1), asked: make(chan chan struct{}), ended: make(chan struct{})}
	go f.receive(from)
	return f
}

func (f *watchErrors) receive(from <-chan error) {
	defer close(f.ended)
	for {
		select {
		case err, open := <-from:
			if !open {
				return
			}
			f.note(err)
		case done := <-f.asked:
			close(done)
		}
	}
}

func (f *watchErrors) note(err error) {
	select {
	case f.errs <- err:
	default:
	}
}

// channel returns the channel of the errors, or nil.
func (f *watchErrors) channel() <-chan error {
	if f == nil {
		return nil
	}
	return f.errs
}

// takePreceding returns an error that preceded the event handled last, if any. Events and errors
// have the same sender: when an event arrives, earlier errors have been received, though perhaps
// not yet reported.
func (f *watchErrors) takePreceding() error {
	done := make(chan struct{})
	select {
	case f.asked <- done:
		<-done
	case <-f.ended:
	}
	select {
	case err := <-f.errs:
		return err
	default:
		return nil
	}
}

// watchNewDir watches a new directory and those below it.
func (w *Watcher) watchNewDir(dir string, parent *ignore.RuleSet) {
	w.untidy = true
	// A directory that is gone again or cannot be read need not be watched.
	if reason, _ := w.watchBelow(dir, parent); reason != "" {
		w.setIncomplete(reason)
	}
}

// watchAll watches the whole folder. The first time it also lists the files.
func (w *Watcher) watchAll() (reason message.Message, err error) {
	above := ignoredAbove(w.folder.real)
	if !w.listing {
		return w.watchBelow(everything, above)
	}
	began := time.Now()
	t := w.newTreeWalker(func(root *os.Root, dir string) ([]fs.DirEntry, error) {
		return readDirWithCallback(root, dir, w.noteShared)
	})
	t.wantFiles = true
	l, reason, err := w.walkAndWatch(t, everything, above)
	if err == nil {
		w.found = Listing{Files: sortFiles(l.allFiles()), StartedAt: began, Duration: time.Since(began)}
	}
	return reason, err
}

// watchBelow watches dir and everything below it. Each directory is watched before it is read, so
// that an entry is either found or causes an event. It returns why some directories are not
// watched, or "".
func (w *Watcher) watchBelow(dir string, parent *ignore.RuleSet) (reason message.Message, err error) {
	_, reason, err = w.walkAndWatch(w.newTreeWalker(w.readDirNames), dir, parent)
	return reason, err
}

func (w *Watcher) newTreeWalker(read func(*os.Root, string) ([]fs.DirEntry, error)) *treeWalker {
	t := newTreeWalker(context.Background(), w.root, read)
	t.call, t.held = w.call, w.folder.findOpenIndexFiles()
	return t
}

// walkAndWatch walks the tree below a directory and watches its directories.
func (w *Watcher) walkAndWatch(t *treeWalker, dir string, parent *ignore.RuleSet) (l *directoryListing, reason message.Message, err error) {
	failed := make(chan message.Message, 1)
	t.enter = func(dir string) {
		if reason := w.watchDir(dir); reason != "" {
			select {
			case failed <- reason:
			default:
			}
		}
	}
	if l, err = t.walk(dir, parent); err != nil {
		return nil, "", err
	}
	w.noteDirs(l)
	select {
	case reason = <-failed:
	default:
	}
	return l, reason, nil
}

// noteDirs records the directories that a walk found.
func (w *Watcher) noteDirs(l *directoryListing) {
	d := &watchedDir{ignore: l.ignore}
	w.dirs[l.dir] = d
	if parent := w.dirs[path.Dir(l.dir)]; parent != d && parent != nil {
		if parent.subs == nil {
			parent.subs = make(map[string]bool)
		}
		parent.subs[l.dir] = true
	}
	for _, sub := range l.subs {
		if !sub.unread {
			w.noteDirs(sub)
		}
	}
}

// unwatchDir stops watching a directory that is gone and those that were in it.
func (w *Watcher) unwatchDir(dir string) {
	d := w.dirs[dir]
	if d == nil {
		return
	}
	w.untidy = true
	for sub := range d.subs {
		w.unwatchDir(sub)
	}
	if name, err := w.systemPath(dir); err == nil {
		_ = w.notify.Remove(name) // if the directory was deleted, the system has already dropped it
	}
	w.held.release(dir)
	delete(w.dirs, dir)
	if parent := w.dirs[path.Dir(dir)]; parent != nil {
		delete(parent.subs, dir)
	}
}

// unwatchIfFilled stops watching the directory of file if file marks it as filled by a program: a
// program creates the directory first. If such a file is removed, only the next scan notices, as
// the directory is not watched.
func (w *Watcher) unwatchIfFilled(file string) bool {
	dir, isMark := ignore.ProgramFilledDir(file)
	parent := w.dirs[path.Dir(dir)]
	if !isMark || parent == nil || !parent.ignore.Excludes(dir, true, hasFileIn(w.root)) {
		return false
	}
	w.unwatchDir(dir)
	w.notePath(dir)
	return true
}

// watchDir watches one directory. It returns why that is impossible, or "".
func (w *Watcher) watchDir(dir string) (reason message.Message) {
	name, err := w.systemPath(dir)
	if err == nil {
		err = w.addToNotifier(name)
	}
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, fsnotify.ErrClosed):
		// A directory that cannot be read need not be watched.
		return ""
	}
	if reason := limitReason(err); reason != "" {
		return reason
	}
	return message.New("watch %s: %v", present.QuoteName(dir), underlyingError(err))
}

func (w *Watcher) addToNotifier(name string) error {
	if namesStay {
		_ = w.notify.Remove(name) // in case another directory was watched by that name
	}
	return w.notify.Add(name)
}

// syncNotifier makes the system watch exactly the directories in w.dirs. The two differ after a
// directory has moved: it is found in its new place, which the system takes for the old one, before
// the event arrives that removes the old one. Also, watches that were refused may have become
// available.
func (w *Watcher) syncNotifier() {
	w.untidy = false
	if w.events() == nil || w.broken {
		return
	}
	watched := make(map[string]bool)
	for _, name := range w.notify.WatchList() {
		watched[name] = true
	}
	delete(watched, w.marks)
	var missing []string
	for dir := range w.dirs {
		if name, err := w.systemPath(dir); err == nil && watched[name] {
			delete(watched, name)
		} else {
			missing = append(missing, dir)
		}
	}
	for name := range watched {
		_ = w.notify.Remove(name)
	}
	var reason message.Message
	for _, dir := range missing {
		if reason = w.watchDir(dir); reason != "" {
			break
		}
		w.notePath(dir)
	}
	w.setIncomplete(reason)
}

// readDirNames reads a directory without a stat of each file, which reading through a root would
// cost. It checks by other means that it has opened the same directory.
func (w *Watcher) readDirNames(root *os.Root, dir string) ([]fs.DirEntry, error) {
	inside, err := root.Lstat(dir)
	if err != nil {
		return nil, err
	}
	d, err := os.OpenFile(w.absPath(dir), os.O_RDONLY|withoutWaiting, 0)
	switch {
	case errors.Is(err, syscall.ENAMETOOLONG):
		return readDirWithCallback(root, dir, w.noteShared)
	case err != nil:
		return nil, err
	}
	defer d.Close()
	opened, err := d.Stat()
	if err != nil {
		return nil, err
	}
	if !inside.IsDir() || !os.SameFile(inside, opened) {
		return nil, fs.ErrNotExist // another directory took its place
	}
	w.noteShared(d)
	return d.ReadDir(-1)
}

// noteShared records whether other machines may change a directory without an event.
func (w *Watcher) noteShared(d *os.File) {
	if !isLocal(d) {
		w.shared.Store(true)
	}
}

// limitReason names the limit of the system that err is about, or returns "".
func limitReason(err error) message.Message {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return message.New("the system's limit of watches is reached")
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return message.New("the system's limit of open files or watchers is reached")
	}
	return ""
}
