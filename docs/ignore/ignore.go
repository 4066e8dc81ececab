// Package ignore decides which files of a folder are excluded: hidden and temporary files and
// folders filled by programs, by their names, and others by the patterns of ignore files.
//
// It works only on names and texts, and asks its caller whether files exist; it does not read
// files.
package ignore

import (
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"unique"
	"weak"
)

// FileNames are the names of ignore files, in increasing precedence: if patterns in both match, the
// last one decides.
var FileNames = []string{".gitignore", ".vademecumignore"}

// A RuleSet holds the rules for one directory: rules by name, and those in the ignore files of the
// directory and its parents. It is immutable. The nil set decides by name only.
//
// Parsed patterns take several times as much memory as their text, and a watcher keeps the sets of
// all directories: so they are parsed when needed, and kept only until the next garbage collection.
type RuleSet struct {
	parent   *RuleSet
	under    string         // path of the folder in that of the parent, with a trailing slash; "" if the same
	prefix   string         // the directory with a trailing slash, or "" for the root
	patterns []filePatterns // patterns of the ignore files
	compiled atomic.Pointer[weak.Pointer[fileMatchers]]
}

// filePatterns are the patterns of an ignore file. Many folders have equal ones.
type filePatterns struct {
	file string
	text unique.Handle[string]
}

// fileMatchers are the parsed patterns of each ignore file of a directory.
type fileMatchers [][]pattern

// compiledMatchers returns the parsed patterns, parsing them if necessary.
func (s *RuleSet) compiledMatchers() fileMatchers {
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

// decidingPattern returns the pattern that decides about a path in the directory, and its file.
// Later files take precedence.
func (s *RuleSet) decidingPattern(rel string, isDir bool) (file string, p pattern, ok bool) {
	all := s.compiledMatchers()
	for i := len(all) - 1; i >= 0; i-- {
		if p, ok = lastMatch(all[i], rel, isDir); ok {
			return s.patterns[i].file, p, true
		}
	}
	return "", pattern{}, false
}

// An IgnoreFile is an ignore file of a directory: its name in it, and its content.
type IgnoreFile struct{ Name, Patterns string }

// ForSubdir returns the set for dir, a slash path relative to the folder, which is inside the
// directory of s. files are the ignore files of dir, in increasing precedence.
func (s *RuleSet) ForSubdir(dir string, files []IgnoreFile) *RuleSet {
	var all []filePatterns
	for _, t := range files {
		if text := strings.TrimPrefix(t.Patterns, "\uFEFF"); text != "" {
			all = append(all, filePatterns{t.Name, unique.Make(text)})
		}
	}
	if len(all) == 0 {
		return s // there is nothing to add
	}
	prefix := ""
	if dir != "." {
		prefix = dir + "/"
	}
	return &RuleSet{parent: s, prefix: prefix, patterns: all}
}

// RelativeTo returns the set for a folder that is inside the one to which the paths of s are
// relative.
func (s *RuleSet) RelativeTo(folder string) *RuleSet {
	if s == nil {
		return nil
	}
	return &RuleSet{parent: s, under: folder + "/"}
}

// Excludes reports whether the file or directory at p, a slash path relative to the folder, is
// excluded. It assumes that the directories above p are not. It calls hasFile to look in a
// directory for files that mark it as filled by a program.
func (s *RuleSet) Excludes(p string, isDir bool, hasFile HasFileFunc) bool {
	_, excluded := s.RuleFor(p, isDir, hasFile)
	return excluded
}

// RuleFor returns the rule that excludes the file or directory at p, a slash path relative to the
// folder, and whether it is excluded. It assumes that the directories above p are not, and calls
// hasFile as Excludes does.
func (s *RuleSet) RuleFor(p string, isDir bool, hasFile HasFileFunc) (r Rule, excluded bool) {
	if kind := ruleByName(path.Base(p), isDir); kind != "" {
		return Rule{Kind: kind}, true
	}
	r, excluded = s.patternFor(p, isDir)
	if isDir && isFilled(p, hasFile) && (excluded || !r.readmits(path.Base(p))) {
		return Rule{Kind: FilledByProgram}, true
	}
	return r, excluded
}

// patternFor returns the rule of the pattern that decides about a path, and whether it excludes the
// path.
func (s *RuleSet) patternFor(p string, isDir bool) (r Rule, excluded bool) {
	above := ""
	for ; s != nil; s = s.parent {
		if s.under != "" {
			p, above = s.under+p, s.under
			continue
		}
		rel := strings.TrimPrefix(p, s.prefix)
		if file, p, ok := s.decidingPattern(rel, isDir); ok {
			return Rule{Kind: IgnorePattern, Pattern: p.text, File: pathUpTo(above, s.prefix) + file, Line: p.line}, !p.isNegated
		}
	}
	return Rule{}, false
}

// pathUpTo returns the path of the directory prefix relative to the folder above, which lies in prefix
// or is "", the directory to which both arguments are relative. Both end with a slash unless they are
// "".
func pathUpTo(above, prefix string) string {
	if above == "" {
		return prefix
	}
	return strings.Repeat("../", strings.Count(above, "/")-strings.Count(prefix, "/"))
}

// temporarySuffixes are suffixes of files that a program is still writing.
var temporarySuffixes = []string{"~", ".tmp", ".swp", ".swo", ".swx", ".part", ".partial", ".crdownload"}

// ruleByName returns the kind of rule that excludes a name, or "": hidden files, files that the
// operating system creates, and lock, backup and temporary files of editors.
func ruleByName(name string, isDir bool) RuleKind {
	switch {
	case name[0] == '.' && !(!isDir && isCloudPlaceholder(name)):
		return HiddenFile
	case !isDir && isTemporary(name):
		return TemporaryFile
	}
	return ""
}

// isCloudPlaceholder reports whether a name is that of a placeholder for a file that macOS has
// moved to iCloud, such as .report.pdf.icloud: it is hidden, but exists for its user.
func isCloudPlaceholder(name string) bool {
	return strings.HasSuffix(name, ".icloud") && len(name) > len("..icloud")
}

func isTemporary(name string) bool {
	lower := strings.ToLower(name)
	switch lower {
	case "thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r":
		return true
	case "4913": // Vim creates it to test whether the directory is writable
		return true
	}
	if strings.HasPrefix(name, "~$") || len(name) > 2 && name[0] == '#' && name[len(name)-1] == '#' { // Office, Emacs
		return true
	}
	return slices.ContainsFunc(temporarySuffixes, func(s string) bool { return strings.HasSuffix(lower, s) })
}
