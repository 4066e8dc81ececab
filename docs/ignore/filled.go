package ignore

import (
	"path"
	"slices"
	"strings"
)

// filledFolders are folders that programs fill, by their names. Names such as build, target
// or vendor are not here: people use them. Where somebody may give the name to a folder of
// their own, it has the files that the program puts into each of its folders.
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

// A HasFile tells whether a directory, a slash path relative to the folder, holds a regular
// file of a name.
type HasFile func(dir, name string) bool

// isFilled tells whether a directory is one that a program fills.
func isFilled(dir string, has HasFile) bool {
	marks, known := filledFolders[path.Base(dir)]
	return known && !slices.ContainsFunc(marks, func(mark string) bool { return !has(dir, mark) })
}

// MarkedDir returns the directory of a file by which that may be one that a program fills, ok
// for such a file: when it comes or goes, what is left out changes.
func MarkedDir(file string) (dir string, ok bool) {
	dir = path.Dir(file)
	return dir, slices.Contains(filledFolders[path.Base(dir)], path.Base(file))
}

// readmits tells whether a pattern has a directory read that is left out by its name. Only one
// that ends with the name does, not !*/, with which lists begin of what is to be read, and it
// has to be in the file for this program: git keeps what this program need not read.
func (r Rule) readmits(name string) bool {
	pattern, isNegated := strings.CutPrefix(r.Pattern, "!")
	return isNegated && path.Base(r.File) == Files[1] && path.Base(pattern) == name
}
