package docs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
)

// A Folder is a directory opened for reading. Nothing outside it can be
// reached through it. Its methods are safe for concurrent use.
type Folder struct {
	root *os.Root
	dir  string
}

// Open opens the directory dir, which may itself be a symbolic link. The error
// is one line that names the absolute path and what is wrong with it.
func Open(dir string) (*Folder, error) {
	abs, err := filepath.Abs(dir)
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
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", printable(abs), cause(err))
	}
	return &Folder{root: root, dir: abs}, nil
}

// Dir returns the absolute path of the folder, cleaned.
func (f *Folder) Dir() string { return f.dir }

// Close releases the folder. Methods called afterwards fail.
func (f *Folder) Close() error { return f.root.Close() }

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
