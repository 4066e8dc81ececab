package docs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// A Folder is a directory opened for reading. Nothing outside it can be
// reached through it. Its methods are safe for concurrent use.
type Folder struct {
	dir  string // absolute path as it was given
	real string // the same without links: what is opened and watched

	indexes []string // absolute paths of the files of indexes, see LeaveOut

	mu   sync.RWMutex
	root *os.Root
}

// Open opens the directory dir. Where that leads through symbolic links it is
// resolved once: the folder is the directory that the links lead to now. The
// error is one line that names the absolute path and what is wrong with it.
func Open(dir string) (*Folder, error) {
	if dir == "" {
		return nil, errors.New("the name of the folder is empty")
	}
	abs, err := absolute(dir)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", printable(dir), err)
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("open %s: no such folder", printable(abs))
	case err != nil:
		return nil, fmt.Errorf("open %s: %w", printable(abs), cause(err))
	case !info.IsDir():
		return nil, fmt.Errorf("open %s: is a file, not a folder", printable(abs))
	}
	real := resolve(abs)
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", printable(abs), cause(err))
	}
	return &Folder{root: root, dir: abs, real: real}, nil
}

// Dir returns the absolute path of the folder, cleaned, in the spelling that it
// was opened by: what people are shown.
func (f *Folder) Dir() string { return f.dir }

// Real returns the absolute path of the folder without symbolic links: the same
// by whatever spelling it was opened.
func (f *Folder) Real() string { return f.real }

// Close releases the folder. Methods called afterwards fail.
func (f *Folder) Close() error { return f.held().Close() }

// held is the directory that was opened last.
func (f *Folder) held() *os.Root {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.root
}

// current is the directory that is at the path of the folder now. A restored
// backup, a sync program or a drive that was away put another one there, and
// the one that is held open would stay as it was.
func (f *Folder) current() (*os.Root, error) {
	held := f.held()
	there, err := os.Stat(f.real)
	if err != nil {
		return nil, cause(err)
	}
	here, err := held.Stat(".")
	switch {
	case errors.Is(err, fs.ErrClosed):
		return nil, cause(err)
	case err == nil && os.SameFile(here, there):
		return held, nil
	}
	root, err := os.OpenRoot(f.real)
	if err != nil {
		return nil, cause(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.root != held { // another call was first
		return f.root, root.Close()
	}
	f.root = root
	return root, held.Close()
}

// cause strips the operation and path that the os package puts before an
// error, for messages that name the path themselves.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// printable returns a path as it is, or quoted if it would break a line or a
// terminal.
func printable(path string) string {
	if strings.IndexFunc(path, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }) < 0 {
		return path
	}
	return strconv.Quote(path)
}
