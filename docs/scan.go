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
	"time"
	"unicode/utf8"

	"vademecum/docs/extract"
)

const (
	reasonDenied  = "permission denied"
	reasonBadName = "file name is not valid UTF-8"
)

// A File is one entry of a scan.
type File struct {
	Path    string    // slash-separated, relative to the folder
	Size    int64     // in bytes
	ModTime time.Time // time of the last change of the content
	Skip    string    // why the file is not read, or "" when it is a candidate
}

// Scan lists the files at and below under, sorted by path, at the cost of one
// lstat each; no file is read. under is "." for the whole folder, or the slash
// path of a directory or a file in it; if it is missing, ignored or hidden the
// list is empty.
//
// Only regular files are listed: devices, pipes, sockets and symbolic links
// are left out silently, as are hidden files, dependency folders, temporary
// files and whatever .gitignore and .vademecumignore exclude. A file that is
// listed but not to be read has a reason in Skip. A directory that cannot be
// read is listed like a file, with a reason.
//
// The error is that of ctx, of an under that leaves the folder, or of a folder
// that cannot be read at all.
func (f *Folder) Scan(ctx context.Context, under string) ([]File, error) {
	root, err := f.current()
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", printable(f.dir), err)
	}
	var files []File
	t := tree{ctx: ctx, root: root, found: func(file File) { files = append(files, file) }}
	if err := t.below(under); err != nil {
		return nil, fmt.Errorf("scan %s: %w", printable(under), err)
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// A tree walks the part of a folder that is not ignored. Scanning and watching
// share it, so that they agree on what belongs to the folder.
type tree struct {
	ctx   context.Context
	root  *os.Root
	found func(File)            // called for each file, if not nil
	enter func(dir string)      // called before a directory is read, if not nil
	dirs  map[string]*ignoreSet // receives each directory entered, if not nil
}

// below walks from the root down to under, obeying the ignore files on the
// way, and then everything below it.
func (t *tree) below(under string) error {
	under = path.Clean(under)
	if !filepath.IsLocal(filepath.FromSlash(under)) {
		return errors.New("the path leaves the folder")
	}
	if under == "." {
		return t.walk(".", nil)
	}
	set := loadIgnoreSet(t.root, ".", nil, ignoreFiles[:])
	for end := 0; end < len(under); {
		if i := strings.IndexByte(under[end+1:], '/'); i >= 0 {
			end += 1 + i
		} else {
			end = len(under)
		}
		p := under[:end]
		info, err := t.root.Lstat(p)
		if err != nil {
			t.unreadable(p, err)
			return nil
		}
		if set.excludes(p, info.IsDir()) {
			return nil
		}
		switch {
		case !info.IsDir():
			if end == len(under) {
				t.file(p, info)
			}
			return nil
		case end == len(under):
			return t.walk(p, set)
		}
		set = loadIgnoreSet(t.root, p, set, ignoreFiles[:])
	}
	return nil
}

// walk visits dir and everything below it. It fails only when ctx has ended or
// the root of the folder cannot be read.
func (t *tree) walk(dir string, parent *ignoreSet) error {
	if err := t.ctx.Err(); err != nil {
		return err
	}
	if !utf8.ValidString(dir) {
		t.report(File{Path: dir, Skip: reasonBadName})
		return nil
	}
	if t.enter != nil {
		t.enter(dir)
	}
	entries, err := readDir(t.root, dir)
	if err != nil {
		if dir == "." {
			return cause(err)
		}
		t.unreadable(dir, err)
		return nil
	}
	set := loadIgnoreSet(t.root, dir, parent, present(entries))
	if t.dirs != nil {
		t.dirs[dir] = set
	}
	for _, e := range entries {
		p := e.Name()
		if dir != "." {
			p = dir + "/" + p
		}
		if set.excludes(p, e.IsDir()) {
			continue
		}
		if e.IsDir() {
			if err := t.walk(p, set); err != nil {
				return err
			}
		} else if t.found != nil {
			if info, err := e.Info(); err == nil {
				t.file(p, info)
			}
		}
	}
	return nil
}

// file reports a regular file.
func (t *tree) file(p string, info fs.FileInfo) {
	if !info.Mode().IsRegular() {
		return
	}
	file := File{Path: p, Size: info.Size(), ModTime: info.ModTime(), Skip: extract.SkipReason(p, info.Size())}
	if !utf8.ValidString(p) {
		file.Skip = reasonBadName
	}
	t.report(file)
}

// unreadable reports a directory or file that exists but cannot be looked at.
func (t *tree) unreadable(p string, err error) {
	switch {
	case errors.Is(err, fs.ErrPermission):
		t.report(File{Path: p, Skip: reasonDenied})
	case errors.Is(err, fs.ErrNotExist), isNotDir(t.root, p):
		// Gone since its name was learnt.
	default:
		t.report(File{Path: p, Skip: cause(err).Error()})
	}
}

func (t *tree) report(file File) {
	if t.found == nil {
		return
	}
	file.Path = strings.ToValidUTF8(file.Path, "\uFFFD")
	t.found(file)
}

// isNotDir reports whether p cannot exist because a parent of it is not a
// directory. Systems disagree on the error for that.
func isNotDir(root *os.Root, p string) bool {
	for p = path.Dir(p); p != "."; p = path.Dir(p) {
		if info, err := root.Lstat(p); err == nil {
			return !info.IsDir()
		}
	}
	return false
}

func readDir(root *os.Root, dir string) ([]fs.DirEntry, error) {
	d, err := root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.ReadDir(-1)
}
