package docs

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// Linux accepts no path of pathMax bytes or more, but resolves paths relative to an open directory
// (/proc/self/fd, proc(5)). So a directory on the way to those with long paths is held open, and
// shared by all that are near it.

const (
	pathMax     = 4096 // bytes
	descriptors = "/proc/self/fd/"
)

// openDirs are directories that are kept open.
type openDirs struct {
	mu    sync.Mutex
	files map[string]*os.File // by slash path
	paths map[string]string   // slash paths, by the path of the descriptor
}

// systemPath returns a path of a directory of the folder that the system accepts.
func (w *Watcher) systemPath(dir string) (string, error) {
	full := w.absPath(dir)
	if len(full) < pathMax || runtime.GOOS != "linux" {
		return full, nil
	}
	base := w.reachableAncestor(dir)
	name, err := w.openByDescriptor(base)
	if err != nil {
		return "", err
	}
	if base != everything {
		dir = strings.TrimPrefix(dir, base+"/")
	}
	return path.Join(name, dir), nil
}

func (w *Watcher) absPath(dir string) string {
	return filepath.Join(w.folder.real, filepath.FromSlash(dir))
}

// reachableAncestor returns the ancestor through which a directory with a long path is reached. It
// depends only on that path, so that a watched directory can be found again by the same name.
func (w *Watcher) reachableAncestor(dir string) string {
	const step = pathMax / 4
	most := (len(w.absPath(dir))/step - 1) * step
	for dir != everything && len(w.absPath(dir)) > most {
		dir = path.Dir(dir)
	}
	return dir
}

// openByDescriptor opens a directory, unless it is open already, and returns the path of its
// descriptor.
func (w *Watcher) openByDescriptor(dir string) (string, error) {
	w.held.mu.Lock()
	defer w.held.mu.Unlock()
	if f := w.held.files[dir]; f != nil {
		return descriptorPath(f), nil
	}
	select {
	case <-w.closed:
		return "", fsnotify.ErrClosed
	default:
	}
	f, err := w.root.OpenFile(dir, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return "", err
	}
	name := descriptorPath(f)
	if !isDirAt(f, name) { // /proc is not mounted
		f.Close()
		return "", syscall.ENAMETOOLONG
	}
	if w.held.files == nil {
		w.held.files, w.held.paths = make(map[string]*os.File), make(map[string]string)
	}
	w.held.files[dir], w.held.paths[name] = f, dir
	return name, nil
}

func descriptorPath(f *os.File) string { return descriptors + strconv.Itoa(int(f.Fd())) }

func isDirAt(f *os.File, name string) bool {
	opened, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && os.SameFile(opened, there)
}

// release closes a directory that was kept open.
func (h *openDirs) release(dir string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if f := h.files[dir]; f != nil {
		delete(h.paths, descriptorPath(f))
		delete(h.files, dir)
		f.Close()
	}
}

func (h *openDirs) releaseAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.files {
		f.Close()
	}
	h.files, h.paths = nil, nil
}

// slashPathOf returns the slash path in the folder of the name in an event.
func (w *Watcher) slashPathOf(name string) (p string, ok bool) {
	if number, isHeld := strings.CutPrefix(name, descriptors); isHeld {
		number, rest, _ := strings.Cut(number, "/")
		w.held.mu.Lock()
		defer w.held.mu.Unlock()
		base, ok := w.held.paths[descriptors+number]
		return path.Join(base, rest), ok
	}
	rel, err := filepath.Rel(w.folder.real, name)
	return filepath.ToSlash(rel), err == nil
}
