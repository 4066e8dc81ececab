// Package ignore decides what of a folder is left out: hidden and temporary files and
// folders that programs fill by their names, others by the patterns of ignore files.
//
// It is given names and texts, and asks for files by name; it reads nothing itself.
package ignore

import (
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"unique"
	"weak"
)

// Files are the files that list what to leave out, in order: of two
// patterns that match, the later one wins.
var Files = []string{".gitignore", ".vademecumignore"}

// A Set decides what is left out of one directory: by name, and by the
// ignore files of that directory and its parents. What it says never changes. The
// nil set decides by name alone.
//
// Patterns that are read take several times as much memory as their text,
// and a watcher keeps the sets of all directories: they are read when they
// are needed, and kept only until the next collection of garbage.
type Set struct {
	parent   *Set
	under    string         // where the folder lies in that of the parent, with a trailing slash; "" for one of the same
	prefix   string         // the directory with a trailing slash, or "" for the root
	patterns []filePatterns // of the ignore files
	compiled atomic.Pointer[weak.Pointer[fileMatchers]]
}

// filePatterns are the patterns of an ignore file, of which many folders have the same.
type filePatterns struct {
	file string
	text unique.Handle[string]
}

// fileMatchers are the patterns of each ignore file of a directory, read.
type fileMatchers [][]pattern

// compiledMatchers reads the patterns unless they are.
func (s *Set) compiledMatchers() fileMatchers {
	if kept := s.compiled.Load(); kept != nil {
		if all := kept.Value(); all != nil {
			return *all
		}
	}
	all := make(fileMatchers, len(s.patterns))
	for i, p := range s.patterns {
		all[i] = parsePatterns(p.text.Value())
	}
	kept := weak.Make(&all)
	s.compiled.Store(&kept)
	return all
}

// decidingPattern finds the pattern that decides about a path in the directory, with the file
// that it stands in: that of the later file, of two.
func (s *Set) decidingPattern(rel string, isDir bool) (file string, p pattern, ok bool) {
	all := s.compiledMatchers()
	for i := len(all) - 1; i >= 0; i-- {
		if p, ok = lastMatch(all[i], rel, isDir); ok {
			return s.patterns[i].file, p, true
		}
	}
	return "", pattern{}, false
}

// An IgnoreFile is what an ignore file says.
type IgnoreFile struct{ File, Patterns string }

// ForSubdir returns the set for dir, a slash path relative to the folder, which lies in
// the directory of s. texts are those of its ignore files, in their order.
func (s *Set) ForSubdir(dir string, texts []IgnoreFile) *Set {
	var all []filePatterns
	for _, t := range texts {
		if text := strings.TrimPrefix(t.Patterns, "\uFEFF"); text != "" {
			all = append(all, filePatterns{t.File, unique.Make(text)})
		}
	}
	if len(all) == 0 {
		return s // which has nothing to be added
	}
	prefix := ""
	if dir != "." {
		prefix = dir + "/"
	}
	return &Set{parent: s, prefix: prefix, patterns: all}
}

// ForFolderBelow returns the set for a folder in the directory that the paths of s are relative
// to.
func (s *Set) ForFolderBelow(folder string) *Set {
	if s == nil {
		return nil
	}
	return &Set{parent: s, under: folder + "/"}
}

// Excludes reports whether the file or directory at p, a slash path relative
// to the folder, is left out. The directories above it are taken to be in. has tells of files
// in it, if it is a directory whose name alone does not decide.
func (s *Set) Excludes(p string, isDir bool, has HasFile) bool {
	_, excluded := s.RuleFor(p, isDir, has)
	return excluded
}

// RuleFor is Excludes that says by which rule.
func (s *Set) RuleFor(p string, isDir bool, has HasFile) (r Rule, excluded bool) {
	if kind := ruleByName(path.Base(p), isDir); kind != "" {
		return Rule{Kind: kind}, true
	}
	r, excluded = s.patternFor(p, isDir)
	if isDir && isFilled(p, has) && (excluded || !r.readmits(path.Base(p))) {
		return Rule{Kind: Filled}, true
	}
	return r, excluded
}

// patternFor returns the pattern that decides about a path, and whether it leaves that out.
func (s *Set) patternFor(p string, isDir bool) (r Rule, excluded bool) {
	above := ""
	for ; s != nil; s = s.parent {
		if s.under != "" {
			p, above = s.under+p, s.under
			continue
		}
		rel := strings.TrimPrefix(p, s.prefix)
		if file, p, ok := s.decidingPattern(rel, isDir); ok {
			return Rule{Kind: Pattern, Pattern: p.text, File: pathUpTo(above, s.prefix) + file, Line: p.line}, !p.isNegated
		}
	}
	return Rule{}, false
}

// pathUpTo is the directory of prefix as seen from the folder, which lies at above in the one
// that both are relative to.
func pathUpTo(above, prefix string) string {
	if above == "" {
		return prefix
	}
	return strings.Repeat("../", strings.Count(above, "/")-strings.Count(prefix, "/"))
}

// temporarySuffixes end the names of files that a program is still writing.
var temporarySuffixes = []string{"~", ".tmp", ".swp", ".swo", ".swx", ".part", ".partial", ".crdownload"}

// ruleByName returns the kind of the rule by which a name is left out, "" for none: what is
// hidden, litter of the operating system, or a lock, backup or temporary file of an
// editor.
func ruleByName(name string, isDir bool) RuleKind {
	switch {
	case name[0] == '.' && !(!isDir && isCloudPlaceholder(name)):
		return Hidden
	case !isDir && isTemporary(name):
		return Temporary
	}
	return ""
}

// isCloudPlaceholder tells whether a name is that of a file which macOS has moved to iCloud, such as
// .report.pdf.icloud: it is hidden, and the file is there for its user.
func isCloudPlaceholder(name string) bool {
	return strings.HasSuffix(name, ".icloud") && len(name) > len("..icloud")
}

func isTemporary(name string) bool {
	lower := strings.ToLower(name)
	switch lower {
	case "thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r":
		return true
	case "4913": // Vim makes it to learn whether it may write to the directory
		return true
	}
	if strings.HasPrefix(name, "~$") || len(name) > 2 && name[0] == '#' && name[len(name)-1] == '#' { // Office, Emacs
		return true
	}
	return slices.ContainsFunc(temporarySuffixes, func(s string) bool { return strings.HasSuffix(lower, s) })
}
