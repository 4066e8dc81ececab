package ignore

import (
	"path"
	"slices"
	"strings"
)

// filledFolders are the names of folders that programs fill. Names that people use, such as build,
// target or vendor, are not listed. If people may use a name as well, the value lists the files
// that identify the program's folder.
var filledFolders = map[string][]string{
	"node_modules":              nil,
	"bower_components":          nil,
	"site-packages":             nil,
	"__pycache__":               nil,
	"__MACOSX":                  nil,
	"venv":                      {"pyvenv.cfg"},
	"CVS":                       {"Entries", "Root"}, // CVS also means cardiovascular system
	"$RECYCLE.BIN":              nil,
	"System Volume Information": nil,
	"lost+found":                nil,
	"@eaDir":                    nil,
}

// A HasFileFunc reports whether a directory, given as a slash path relative to the folder, contains a
// regular file with that name.
type HasFileFunc func(dir, name string) bool

// isFilled reports whether a program fills the directory.
func isFilled(dir string, has HasFileFunc) bool {
	marks, known := filledFolders[path.Base(dir)]
	return known && !slices.ContainsFunc(marks, func(mark string) bool { return !has(dir, mark) })
}

// ProgramFilledDir returns the directory that markerFile marks as filled by a program, as CVS/Entries
// marks CVS. ok is false for a file that marks no directory. When such a file appears or disappears,
// the exclusions change.
func ProgramFilledDir(markerFile string) (dir string, ok bool) {
	dir = path.Dir(markerFile)
	return dir, slices.Contains(filledFolders[path.Base(dir)], path.Base(markerFile))
}

// readmits reports whether a pattern re-includes a directory that is excluded by its name. The
// pattern must end with the name, unlike !*/, with which allow lists begin, and must be in
// .vademecumignore: git may keep files that this program need not read.
func (r Rule) readmits(name string) bool {
	pattern, isNegated := strings.CutPrefix(r.Pattern, "!")
	return isNegated && path.Base(r.File) == FileNames[1] && path.Base(pattern) == name
}
