package docs

import (
	"encoding/binary"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/system"
)

// Index files are not documents. Those of this process in particular must not be read: closing any
// descriptor of a file drops the locks that the process holds on it (fcntl(2)), and indexing a file
// that indexing changes would never end.

// SQLiteApplicationID marks the SQLite file of an index in its header ("VdMc").
const SQLiteApplicationID = 0x56644d63

// besideIndex are the suffixes of the files that are kept beside an index, appended to its name.
var besideIndex = []string{"-wal", "-shm", "-journal", ".snapshot", ".introduction", ".open.lock", ".lock", ".damaged", ".damaged-wal", ".damaged-shm", ".damaged-journal"}

// unfinished matches the suffixes of temporary files that are being written beside an index.
var unfinished = lazyregexp.New(`\.(snapshot|introduction)\.tmp-`)

// isOfIndex reports whether a name is that of the index or of a file beside it.
func isOfIndex(name, index string) bool {
	end, ok := strings.CutPrefix(name, index)
	if !ok {
		return false
	}
	return end == "" || slices.Contains(besideIndex, end) || isUnfinished(end) || isModelLock(end)
}

// isUnfinished reports whether the suffix end is that of a file that is still being written.
func isUnfinished(end string) bool {
	at := unfinished.FindStringIndex(end)
	return at != nil && at[0] == 0
}

// isModelLock reports whether a suffix is that of a model's lock file, such as
// ".0123abcd.lock".
func isModelLock(suffix string) bool {
	hex, ok := strings.CutSuffix(suffix, ".lock")
	return ok && len(hex) == 9 && hex[0] == '.' && strings.Trim(hex[1:], "0123456789abcdef") == ""
}

// ExcludeIndexes excludes the indexes at the given paths, which this process opens, under any name
// in the folder, and the files beside them. It must be called before any other method.
func (f *Folder) ExcludeIndexes(indexPaths []string) { f.indexes = indexPaths }

// openIndexFiles are the files of the indexes that this process has open, at one moment.
type openIndexFiles struct {
	paths []string // slash paths of the indexes in the folder
	files []indexFile
	cache string // slash path of the program's cache folder; "" if it is outside the folder
}

// indexFile is a file with its metadata at one moment.
type indexFile struct {
	path string
	info fs.FileInfo
}

// isUnreplaced reports whether info, in which the inode number is that of the index file, still
// describes the index file: if it was removed, the system may have reused its number for a note.
func (f indexFile) isUnreplaced(info fs.FileInfo) bool {
	now, err := os.Stat(f.path)
	return err == nil && isSameFile(now, info)
}

// findOpenIndexFiles returns the index files that this process has open, to be left out of scans:
// their paths in the folder in every spelling, and the files that exist.
func (f *Folder) findOpenIndexFiles() openIndexFiles {
	var h openIndexFiles
	for _, file := range f.indexes {
		spellings := []string{file, resolveLinks(file), filepath.Join(resolveLinks(filepath.Dir(file)), filepath.Base(file))}
		slices.Sort(spellings)
		for _, s := range slices.Compact(spellings) {
			if p := f.slashPathInside(s); p != "" {
				h.paths = append(h.paths, p)
			}
			for _, end := range append([]string{""}, besideIndex...) {
				if info, err := os.Stat(s + end); err == nil {
					h.files = append(h.files, indexFile{s + end, info})
				}
			}
		}
	}
	if cache, err := system.CacheDir(); err == nil {
		h.cache = f.slashPathInside(resolveLinks(cache))
	}
	return h
}

// cachedIndexFiles caches the result of findOpenIndexFiles.
type cachedIndexFiles struct {
	mu    sync.Mutex
	files openIndexFiles
	until int64 // when the cache expires, in awakeNanos
}

// heldFor is how long the result of findOpenIndexFiles is cached for reading files: computing it
// takes some 25 system calls, more than reading a note. A cache is safe because a scan has excluded
// the index files of its time, and the path of an index excludes it at any time.
const heldFor = 100 * time.Millisecond

// isOpenIndexFile reports whether a file that is about to be read is a file of an open index,
// according to the cache.
func (f *Folder) isOpenIndexFile(p string, info fs.FileInfo) bool {
	f.recent.mu.Lock()
	defer f.recent.mu.Unlock()
	if now := awakeNanos(); now >= f.recent.until {
		f.recent.files, f.recent.until = f.findOpenIndexFiles(), now+int64(heldFor)
	}
	return f.recent.files.isIndexFile(p, info)
}

// resolveLinks returns the path with symbolic links resolved, or the path itself if it does not
// exist.
func resolveLinks(file string) string {
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real
	}
	return file
}

// slashPathInside returns an absolute path as a slash path relative to the folder, or "" if it is not
// below it.
func (f *Folder) slashPathInside(abs string) string { return slashPathBelow(f.real, abs) }

// ContainsPath reports whether an absolute path leads into the folder. The path need not exist.
func (f *Folder) ContainsPath(absolutePath string) bool {
	return slashPathBelow(f.real, absolutePath) != "" || slashPathBelow(f.dir, absolutePath) != ""
}

// slashPathBelow returns the slash path from a directory to a path below it, or "" if it is not
// below it.
func slashPathBelow(dir, abs string) string {
	rel, err := filepath.Rel(dir, abs)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// isIndexFile reports whether a file is an open index file. It compares the path and the identity,
// since the file may have other names.
func (h *openIndexFiles) isIndexFile(p string, info fs.FileInfo) bool {
	for _, index := range h.paths {
		if dir := path.Dir(index); path.Dir(p) == dir && isOfIndex(path.Base(p), path.Base(index)) {
			return true
		}
	}
	return info != nil && h.hasSameFile(info)
}

// hasSameFile reports whether a file is identical to an index file. On Windows, where identifying a
// file takes a system call, it compares only files of the same size.
func (h *openIndexFiles) hasSameFile(info fs.FileInfo) bool {
	return slices.ContainsFunc(h.files, func(ours indexFile) bool {
		return (runtime.GOOS != "windows" || ours.info.Size() == info.Size()) && isSameFile(ours.info, info) && ours.isUnreplaced(info)
	})
}

// isCacheDir reports whether a directory is the program's own cache.
func (h *openIndexFiles) isCacheDir(p string) bool { return h.cache != "" && p == h.cache }

// indexesAmong finds the indexes of any process among the entries of a directory. Candidates are
// found by name: an index in use has other files beside it.
func (h *openIndexFiles) indexesAmong(root *os.Root, dir string, entries []fs.DirEntry) []string {
	beside := make(map[string]bool) // names to which other entries belong
	for _, e := range entries {
		for _, index := range possibleIndexNames(e.Name()) {
			beside[index] = true
		}
	}
	if len(beside) == 0 {
		return nil
	}
	var found []string
	for _, e := range entries {
		if beside[e.Name()] && h.isIndex(root, path.Join(dir, e.Name())) {
			found = append(found, e.Name())
		}
	}
	return found
}

// possibleIndexNames lists the names of the indexes that a file with this name may belong to.
func possibleIndexNames(name string) []string {
	var all []string
	for _, end := range besideIndex {
		if index, ok := strings.CutSuffix(name, end); ok && index != "" {
			all = append(all, index)
		}
	}
	if at := unfinished.FindStringIndex(name); at != nil && at[0] > 0 {
		all = append(all, name[:at[0]])
	}
	if n := len(name) - len(".0123abcd.lock"); n > 0 && isModelLock(name[n:]) {
		all = append(all, name[:n])
	}
	return all
}

// isIndex reports whether a file is an index, by its header. An index of this process is not
// opened.
func (h *openIndexFiles) isIndex(root *os.Root, p string) bool {
	info, err := root.Lstat(p)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if h.isIndexFile(p, info) {
		return true
	}
	f, err := root.Open(p)
	if err != nil {
		return false
	}
	defer f.Close()
	header := make([]byte, 72)
	_, err = io.ReadFull(f, header)
	return err == nil && IsIndexHeader(header)
}

// IsIndexHeader reports whether header, the first bytes of a file, at least 72, is that of the
// SQLite file of an index.
func IsIndexHeader(header []byte) bool {
	return strings.HasPrefix(string(header), "SQLite format 3\x00") && binary.BigEndian.Uint32(header[68:]) == SQLiteApplicationID
}

// belongsToAnyIndex reports whether a file belongs to an index of any process.
func (h *openIndexFiles) belongsToAnyIndex(root *os.Root, p string, info fs.FileInfo) bool {
	if h.isIndexFile(p, info) {
		return true
	}
	dir, name := path.Split(p)
	for _, end := range []string{"-shm", ".lock"} { // files beside an index in use
		if _, err := root.Lstat(p + end); err == nil && h.isIndex(root, p) {
			return true
		}
	}
	return slices.ContainsFunc(possibleIndexNames(name), func(index string) bool { return h.isIndex(root, dir+index) })
}
