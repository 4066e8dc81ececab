package docs

import (
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"unique"
	"weak"

	"github.com/git-pkgs/gitignore"
)

// ignoreFiles are the files that list what to leave out, in order: of two
// patterns that match, the later one wins.
var ignoreFiles = [...]string{".gitignore", ".vademecumignore"}

// maxIgnoreFile bounds how much of an ignore file is read, in bytes.
const maxIgnoreFile = 1 << 20

// An ignoreSet decides what is left out of one directory: by name, and by the
// ignore files of that directory and its parents. What it says never changes once
// loaded. The nil set decides by name alone.
//
// Patterns that are compiled take some fifteen times as much memory as their text,
// and a watcher keeps the sets of all directories: they are compiled when they
// are needed, and kept only until the next collection of garbage.
type ignoreSet struct {
	parent   *ignoreSet
	prefix   string                  // the directory with a trailing slash, or "" for the root
	patterns []unique.Handle[string] // texts of the ignore files, of which many folders have the same
	compiled atomic.Pointer[weak.Pointer[gitignore.Matcher]]
}

// matcher compiles the patterns unless they are.
func (s *ignoreSet) matcher() *gitignore.Matcher {
	if kept := s.compiled.Load(); kept != nil {
		if m := kept.Value(); m != nil {
			return m
		}
	}
	m := &gitignore.Matcher{}
	for _, text := range s.patterns {
		m.AddPatterns([]byte(text.Value()), "")
	}
	kept := weak.Make(m)
	s.compiled.Store(&kept)
	return m
}

// loadIgnoreSet returns the set for dir, reading those of its ignore files
// that names lists. An ignore file that cannot be read counts as absent.
func loadIgnoreSet(root *os.Root, dir string, parent *ignoreSet, names []string) *ignoreSet {
	var patterns []unique.Handle[string]
	for _, name := range names {
		if text := readIgnoreFile(root, path.Join(dir, name)); text != "" {
			patterns = append(patterns, unique.Make(text))
		}
	}
	if len(patterns) == 0 {
		// Nothing to add, so the parent's set serves as well.
		return parent
	}
	prefix := ""
	if dir != "." {
		prefix = dir + "/"
	}
	return &ignoreSet{parent: parent, prefix: prefix, patterns: patterns}
}

func readIgnoreFile(root *os.Root, p string) string {
	f, _, err := openRegular(root, p)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile))
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(string(data), "\uFEFF")
}

// ignoreFilesIn returns the ignore files among entries.
func ignoreFilesIn(entries []fs.DirEntry) []string {
	var names []string
	for _, name := range ignoreFiles {
		if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name }) {
			names = append(names, name)
		}
	}
	return names
}

// excludes reports whether the file or directory at p, a slash path relative
// to the folder, is left out. The directories above it are taken to be in.
func (s *ignoreSet) excludes(p string, isDir bool) bool {
	if name := path.Base(p); isDir && unwantedDir(name) || !isDir && unwantedFile(name) {
		return true
	}
	for ; s != nil; s = s.parent {
		rel := strings.TrimPrefix(p, s.prefix)
		if isDir {
			rel += "/"
		}
		if m := s.matcher().MatchDetail(rel); m.Matched {
			return m.Ignored
		}
	}
	return false
}

// dependencyDirs are directories that programs fill, with names that nobody
// gives to a folder of their own. Names such as build, target or vendor are
// not here: people use them.
var dependencyDirs = map[string]bool{
	"node_modules":              true,
	"bower_components":          true,
	"site-packages":             true,
	"__pycache__":               true,
	"__MACOSX":                  true,
	"venv":                      true,
	"CVS":                       true,
	"$RECYCLE.BIN":              true,
	"System Volume Information": true,
	"lost+found":                true,
	"@eaDir":                    true,
}

func unwantedDir(name string) bool {
	return name[0] == '.' || dependencyDirs[name]
}

// temporarySuffixes end the names of files that a program is still writing.
var temporarySuffixes = []string{"~", ".tmp", ".swp", ".swo", ".swx", ".part", ".partial", ".crdownload"}

// unwantedFile reports whether a file is hidden, is litter of the operating
// system, or is a lock, backup or temporary file of an editor.
func unwantedFile(name string) bool {
	if name[0] == '.' || strings.HasPrefix(name, "~$") {
		return true
	}
	lower := strings.ToLower(name)
	switch lower {
	case "thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r":
		return true
	case "4913": // Vim makes it to learn whether it may write to the directory
		return true
	}
	if len(name) > 2 && name[0] == '#' && name[len(name)-1] == '#' { // Emacs
		return true
	}
	return slices.ContainsFunc(temporarySuffixes, func(s string) bool { return strings.HasSuffix(lower, s) })
}
