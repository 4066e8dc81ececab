package docs

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// A folder has many spellings: through symbolic links, or with another case or other accents if the
// file system ignores these. So does a file: "é" is one character or two, and both look the same.

// absolutePath makes a path absolute. If ".." follows a link, it means the parent of the link's
// target, as it does for the system.
func absolutePath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	meant, err := os.Stat(dir)
	if err != nil {
		return abs, nil // the error will be reported for the absolute path
	}
	if got, err := os.Stat(abs); err == nil && os.SameFile(meant, got) {
		return abs, nil
	}
	if !filepath.IsAbs(dir) {
		wd, err := os.Getwd()
		if err != nil {
			return "", err
		}
		dir = wd + string(filepath.Separator) + dir // not filepath.Join, which would remove the ".."
	}
	return filepath.EvalSymlinks(dir)
}

// canonicalSpelling returns the one spelling that all spellings of a directory resolve to. A path
// that cannot be resolved is returned unchanged.
func canonicalSpelling(abs string) string {
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return abs
	}
	real = listedPath(real)
	if !isSameFileAt(real, abs) {
		return abs
	}
	return real
}

func isSameFileAt(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// listedPath spells each element of an absolute path as its parent directory lists it.
func listedPath(abs string) string {
	parent := filepath.Dir(abs)
	if parent == abs {
		return abs
	}
	parent = listedPath(parent)
	name, _ := listedName(os.DirFS(parent), everything, filepath.Base(abs))
	return filepath.Join(parent, name)
}

// listedName returns the spelling under which a directory lists the entry that name refers to. That
// is name itself, or a name that differs in case or composition if the file system treats both as
// equal, or otherwise a name that differs in composition only. ok is false if it lists no such
// entry.
func listedName(fsys fs.FS, dir, name string) (listed string, ok bool) {
	here, err := fs.Lstat(fsys, path.Join(dir, name))
	exists := err == nil
	if exists && !slices.ContainsFunc(otherSpellings(name), func(other string) bool { return isSameEntry(fsys, dir, other, here) }) {
		return name, true
	}
	if !exists && isASCII(name) {
		return name, false
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil || slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name }) {
		return name, exists
	}
	composed := norm.NFC.String(name)
	for _, e := range entries { // sorted by name
		other := norm.NFC.String(e.Name())
		if exists && strings.EqualFold(other, composed) && isSameEntry(fsys, dir, e.Name(), here) || !exists && other == composed {
			return e.Name(), true
		}
	}
	return name, exists
}

// otherSpellings returns spellings by which a file system that ignores case or accents
// would also find a name.
func otherSpellings(name string) []string {
	all := []string{strings.ToUpper(name), strings.ToLower(name), norm.NFC.String(name), norm.NFD.String(name)}
	return slices.DeleteFunc(all, func(other string) bool { return other == name })
}

func isSameEntry(fsys fs.FS, dir, name string, info fs.FileInfo) bool {
	there, err := fs.Lstat(fsys, path.Join(dir, name))
	return err == nil && os.SameFile(info, there)
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 }) < 0
}

// CanonicalPath returns the slash path of the file or directory that slashPath refers to in the
// folder, spelt as its directories list it: slashPath may compose characters differently. ok is false
// if there is no such file; then only the existing part of slashPath is respelt. If the file system
// does not answer soon, slashPath is returned.
func (f *Folder) CanonicalPath(slashPath string) (listed string, ok bool) {
	type found struct {
		path string
		ok   bool
	}
	there, err := runBriefly(f.calls, "listed", func() (found, error) {
		root, err := f.lastOrCurrentRoot()
		if err != nil {
			return found{}, err
		}
		listed, ok := listedPathIn(rootFS{root.FS().(fs.ReadLinkFS), root}, slashPath)
		return found{listed, ok}, nil
	})
	if err != nil {
		return path.Clean(slashPath), false
	}
	return there.path, there.ok
}

func listedPathIn(fsys fs.FS, p string) (listed string, ok bool) {
	listed, ok = everything, true
	for name := range strings.SplitSeq(path.Clean(p), "/") {
		if ok {
			name, ok = listedName(fsys, listed, name)
		}
		listed = path.Join(listed, name)
	}
	return listed, ok
}

// rootFS lists directories, without blocking if the path turns out not to be a directory.
type rootFS struct {
	fs.ReadLinkFS
	root *os.Root
}

func (r rootFS) ReadDir(dir string) ([]fs.DirEntry, error) {
	entries, err := readDirAndStat(r.root, dir)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// longestPath is the maximum length, in bytes, of a path that is looked up in the file system; most
// systems accept no longer ones.
const longestPath = 4096

// RelativePath returns the slash path in the folder of an absolute path in any spelling; the path need not
// exist. ok is false if it leads elsewhere.
func (f *Folder) RelativePath(absolutePath string) (slashPath string, ok bool) {
	for _, dir := range []string{f.Dir(), f.RealPath()} {
		if rel, ok := relativePath(dir, absolutePath); ok {
			return rel, true
		}
	}
	for _, dir := range []string{f.Dir(), f.RealPath()} {
		if rel, ok := relativePath(norm.NFC.String(dir), norm.NFC.String(absolutePath)); ok {
			return rel, true
		}
	}
	if len(absolutePath) > longestPath || f.IsRemote() || !f.isOnVolume(absolutePath) {
		return "", false
	}
	if f.UnresponsiveFor() > 0 {
		return "", false
	}
	dir, err := runBriefly(f.lookups, "rel", func() (string, error) { return f.ancestorThatIsFolder(absolutePath) })
	if err != nil {
		return "", false
	}
	return relativePath(dir, absolutePath)
}

// ancestorThatIsFolder returns the ancestor of abs that is this folder.
func (f *Folder) ancestorThatIsFolder(abs string) (string, error) {
	root, err := os.Stat(f.real)
	if err != nil {
		return "", err
	}
	for dir := filepath.Clean(abs); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && os.SameFile(info, root) {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", fs.ErrNotExist
		}
	}
}

// isOnVolume reports whether a path is on the volume of the folder. Checking it keeps this program
// from contacting other machines that a path may name.
func (f *Folder) isOnVolume(abs string) bool {
	volume := filepath.VolumeName(abs)
	return strings.EqualFold(volume, filepath.VolumeName(f.real)) || strings.EqualFold(volume, filepath.VolumeName(f.dir))
}

func relativePath(dir, abs string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Contains reports whether another folder is this one or inside it, in any spelling. If the file
// systems do not answer soon, or f does not exist, only the spellings are compared.
func (f *Folder) Contains(other *Folder) bool {
	_, contains := relativePath(f.RealPath(), other.RealPath())
	if f.IsRemote() || other.IsRemote() || f.UnresponsiveFor() > 0 || other.UnresponsiveFor() > 0 {
		return contains
	}
	_, err := runBriefly(f.lookups, "contains", func() (string, error) { return f.ancestorThatIsFolder(other.real) })
	if errors.Is(err, ErrNotResponding) || f.MissingError() != nil {
		return contains
	}
	return err == nil
}

// PathMovedNote returns a line that says that the path by which the folder was opened now leads
// elsewhere: a link was set to another folder, or is gone. The folder itself does not change. The
// result is "" if the path leads to the folder, if the folder is missing, and if the file system
// does not answer soon.
func (f *Folder) PathMovedNote() message.Message {
	if f.dir == f.real {
		return ""
	}
	why, _ := runBriefly(f.calls, "strayed", func() (message.Message, error) {
		if isSameFileAt(f.dir, f.real) {
			return "", nil
		}
		if now, err := filepath.EvalSymlinks(f.dir); err == nil {
			return message.New("%s leads to %s now", present.QuoteName(f.dir), present.QuoteName(now)), nil
		}
		if _, err := os.Stat(f.real); err != nil {
			return "", err
		}
		return message.New("%s leads nowhere now", present.QuoteName(f.dir)), nil
	})
	return why
}
