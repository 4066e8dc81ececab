// Package ignore decides what of a folder is left out: hidden, temporary and
// dependency files by their names, others by the patterns of ignore files.
//
// It is given names and texts, and reads nothing itself.
package ignore

import (
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"unique"
	"weak"

	"github.com/git-pkgs/gitignore"
)

// Files are the files that list what to leave out, in order: of two
// patterns that match, the later one wins.
var Files = []string{".gitignore", ".vademecumignore"}

// A Set decides what is left out of one directory: by name, and by the
// ignore files of that directory and its parents. What it says never changes. The
// nil set decides by name alone.
//
// Patterns that are compiled take some fifteen times as much memory as their text,
// and a watcher keeps the sets of all directories: they are compiled when they
// are needed, and kept only until the next collection of garbage.
type Set struct {
	parent   *Set
	under    string                  // where the folder lies in that of the parent, with a trailing slash; "" for one of the same
	prefix   string                  // the directory with a trailing slash, or "" for the root
	patterns []unique.Handle[string] // texts of the ignore files, of which many folders have the same
	compiled atomic.Pointer[weak.Pointer[gitignore.Matcher]]
}

// matcher compiles the patterns unless they are.
func (s *Set) matcher() *gitignore.Matcher {
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

// In returns the set for dir, a slash path relative to the folder, which lies in
// the directory of s. texts are those of its ignore files.
func (s *Set) In(dir string, texts []string) *Set {
	var patterns []unique.Handle[string]
	for _, text := range texts {
		if text = strings.TrimPrefix(text, "\uFEFF"); text != "" {
			patterns = append(patterns, unique.Make(text))
		}
	}
	if len(patterns) == 0 {
		return s // which has nothing to be added
	}
	prefix := ""
	if dir != "." {
		prefix = dir + "/"
	}
	return &Set{parent: s, prefix: prefix, patterns: patterns}
}

// Under returns the set for a folder in the directory that the paths of s are relative
// to.
func (s *Set) Under(folder string) *Set {
	if s == nil {
		return nil
	}
	return &Set{parent: s, under: folder + "/"}
}

// Excludes reports whether the file or directory at p, a slash path relative
// to the folder, is left out. The directories above it are taken to be in.
func (s *Set) Excludes(p string, isDir bool) bool {
	if name := path.Base(p); isDir && (name[0] == '.' || dependencyDirs[name]) || !isDir && unwantedFile(name) {
		return true
	}
	for ; s != nil; s = s.parent {
		if s.under != "" {
			p = s.under + p
			continue
		}
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
