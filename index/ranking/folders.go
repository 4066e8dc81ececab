package ranking

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"

	"vademecum/index/search"
)

// SimilarFolders determines which folders contain files of the same names. It reads all paths on
// first use, and caches the results.
type SimilarFolders struct {
	paths func() iter.Seq[search.Location]

	mu      sync.Mutex
	parents map[parentFolder]map[string]nameSet
	pairs   map[folderPair]bool
}

// NewSimilarFolders returns the SimilarFolders for the locations of documents.
func NewSimilarFolders(paths func() iter.Seq[search.Location]) *SimilarFolders {
	return &SimilarFolders{paths: paths, parents: make(map[parentFolder]map[string]nameSet), pairs: make(map[folderPair]bool)}
}

// parentFolder is a folder whose subfolders are compared.
type parentFolder struct {
	folder int
	path   string // "" or ends with "/"
}

type folderPair struct {
	parentFolder
	a, b string
}

type nameSet map[string]bool

// pathFolder is a folder within a path.
type pathFolder struct {
	folder             int
	parent, name, rest string // path = parent + name + "/" + rest
}

// foldersOf yields each folder in a path.
func foldersOf(p string) iter.Seq[pathFolder] {
	return func(yield func(pathFolder) bool) {
		for from := 0; ; {
			i := strings.IndexByte(p[from:], '/')
			if i < 0 || !yield(pathFolder{parent: p[:from], name: p[from : from+i], rest: p[from+i+1:]}) {
				return
			}
			from += i + 1
		}
	}
}

// Two folders contain versions of the same files if half of the files in the smaller one have a
// counterpart in the other, and more than chance would explain.
const (
	sharedPart  = 2 // one in this many
	leastShared = 3
)

// areVersions reports whether two folders with the same parent contain mostly the same names.
func (f *SimilarFolders) areVersions(a, b pathFolder) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.areVersionsLocked(a, b)
}

// originalOf returns the name of the folder from which the other versions of a folder were most
// likely translated: the one whose name the others begin with ("pages", "pages.de"), or else the
// one with the most files, as among "de", "en" and "fr".
func (f *SimilarFolders) originalOf(of pathFolder) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	in := f.subfoldersOf(parentFolder{of.folder, of.parent})
	var all []string
	for name, files := range in {
		other := of
		if other.name = name; files[of.rest] && (name == of.name || f.areVersionsLocked(of, other)) {
			all = append(all, name)
		}
	}
	isNamedAfter := func(name string) bool {
		return slices.ContainsFunc(all, func(other string) bool { return other != name && strings.HasPrefix(name, other) })
	}
	if first := slices.DeleteFunc(slices.Clone(all), isNamedAfter); len(first) > 0 {
		all = first
	}
	if len(all) == 0 { // the document was removed
		return of.name
	}
	return slices.MinFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(in[b]), len(in[a])), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

// areVersionsLocked reports whether two folders with the same parent contain mostly the same names.
// The caller holds f.mu.
func (f *SimilarFolders) areVersionsLocked(a, b pathFolder) bool {
	p := folderPair{parentFolder{a.folder, a.parent}, min(a.name, b.name), max(a.name, b.name)}
	are, known := f.pairs[p]
	if !known {
		are = f.shareNames(p)
		f.pairs[p] = are
	}
	return are
}

func (f *SimilarFolders) shareNames(p folderPair) bool {
	in := f.subfoldersOf(p.parentFolder)
	a, b := in[p.a], in[p.b]
	if len(a) > len(b) {
		a, b = b, a
	}
	shared := 0
	for name := range a {
		if b[name] {
			shared++
		}
	}
	return shared >= leastShared && shared*sharedPart >= len(a)
}

// subfoldersOf returns the subfolders of a parent with the files in each.
func (f *SimilarFolders) subfoldersOf(p parentFolder) map[string]nameSet {
	if f.parents[p] == nil {
		f.parents[p] = f.listSubfolders(p)
	}
	return f.parents[p]
}

// listSubfolders collects the files in each subfolder of a parent.
func (f *SimilarFolders) listSubfolders(p parentFolder) map[string]nameSet {
	in := make(map[string]nameSet)
	for at := range f.paths() {
		inner, ok := strings.CutPrefix(at.Path, p.path)
		if !ok || at.Folder != p.folder {
			continue
		}
		name, rest, ok := strings.Cut(inner, "/")
		if !ok {
			continue
		}
		if in[name] == nil {
			in[name] = make(nameSet)
		}
		in[name][rest] = true
	}
	return in
}
