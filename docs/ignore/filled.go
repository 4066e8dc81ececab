package ignore

import (
	"path"
	"slices"
	"strings"
)

// filledFolders are folders that programs fill, by their names. Names such as build, target
// or vendor are not here: people use them. Where people may use the name as well, the list
// has the files by which the program's folder is recognised.
var filledFolders = map[string][]string{
	"node_modules":              nil,
	"bower_components":          nil,
	"site-packages":             nil,
	"__pycache__":               nil,
	"__MACOSX":                  nil,
	"venv":                      {"pyvenv.cfg"},
	"CVS":                       {"Entries", "Root"}, // medicine calls heart and vessels so, too
	"$RECYCLE.BIN":              nil,
	"System Volume Information": nil,
	"lost+found":                nil,
	"@eaDir":                    nil,
}

// A HasFile reports whether a directory, a slash path relative to the folder, contains a
// regular file of a name.
type HasFile func(dir, name string) bool

// isFilled reports whether a directory is one that a program fills.
func isFilled(dir string, has HasFile) bool {
	marks, known := filledFolders[path.Base(dir)]
	return known && !slices.ContainsFunc(marks, func(mark string) bool { return !has(dir, mark) })
}

// MarkedDir returns the directory that a file may mark as filled by a program; ok is true for
// such a file. When it appears or disappears, the exclusions change.
func MarkedDir(file string) (dir string, ok bool) {
	dir = path.Dir(file)
	return dir, slices.Contains(filledFolders[path.Base(dir)], path.Base(file))
}

// readmits reports whether a pattern re-includes a directory that is excluded by its name.
// Only a pattern that ends with the name does, not !*/, with which allow lists begin, and it
// must be in the file of this program: git keeps files that this program need not read.
func (r Rule) readmits(name string) bool {
	pattern, isNegated := strings.CutPrefix(r.Pattern, "!")
	return isNegated && path.Base(r.File) == Files[1] && path.Base(pattern) == name
}
