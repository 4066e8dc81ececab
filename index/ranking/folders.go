package ranking

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"

	"vademecum/index/search"
)

// Folders tells which folders hold the same files by name. It looks through all
// paths when it is first asked of a folder, and remembers.
type Folders struct {
	paths func() iter.Seq[search.Location]

	mu      sync.Mutex
	parents map[parent]map[string]names
	pairs   map[pair]bool
}

// NewFolders is of the documents at some places.
func NewFolders(paths func() iter.Seq[search.Location]) *Folders {
	return &Folders{paths: paths, parents: make(map[parent]map[string]names), pairs: make(map[pair]bool)}
}

// parent is a folder of which the folders in it are compared.
type parent struct {
	folder int
	path   string // "" or ends with "/"
}

type pair struct {
	parent
	a, b string
}

type names map[string]bool

// place is where a folder stands in a path.
type place struct {
	folder             int
	parent, name, rest string // path = parent + name + "/" + rest
}

// placesIn yields each folder of a path.
func placesIn(p string) iter.Seq[place] {
	return func(yield func(place) bool) {
		for from := 0; ; {
			i := strings.IndexByte(p[from:], '/')
			if i < 0 || !yield(place{parent: p[:from], name: p[from : from+i], rest: p[from+i+1:]}) {
				return
			}
			from += i + 1
		}
	}
}

// Folders hold versions of the same when half of the files of the smaller have
// their like in the other, and more than could be so by chance.
const (
	sharedPart  = 2 // one in so many
	leastShared = 3
)

// areVersions tells whether two folders of one parent hold mostly the same names.
func (f *Folders) areVersions(a, b place) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.alike(a, b)
}

// original names, of the folders that hold versions of a document, the one that the
// others were most likely translated from: that of which the name begins theirs
// ("pages", "pages.de"), or else that with most in it, as of "de", "en" and "fr".
func (f *Folders) original(of place) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	in := f.in(parent{of.folder, of.parent})
	var all []string
	for name, files := range in {
		other := of
		if other.name = name; files[of.rest] && (name == of.name || f.alike(of, other)) {
			all = append(all, name)
		}
	}
	isNamedAfter := func(name string) bool {
		return slices.ContainsFunc(all, func(other string) bool { return other != name && strings.HasPrefix(name, other) })
	}
	if first := slices.DeleteFunc(slices.Clone(all), isNamedAfter); len(first) > 0 {
		all = first
	}
	if len(all) == 0 { // the document has gone
		return of.name
	}
	return slices.MinFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(in[b]), len(in[a])), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

// alike is areVersions with the lock held.
func (f *Folders) alike(a, b place) bool {
	p := pair{parent{a.folder, a.parent}, min(a.name, b.name), max(a.name, b.name)}
	are, known := f.pairs[p]
	if !known {
		are = f.share(p)
		f.pairs[p] = are
	}
	return are
}

func (f *Folders) share(p pair) bool {
	in := f.in(p.parent)
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

// in lists the folders of a parent, with the files in each.
func (f *Folders) in(p parent) map[string]names {
	if f.parents[p] == nil {
		f.parents[p] = f.list(p)
	}
	return f.parents[p]
}

// list collects what is in each folder of a parent.
func (f *Folders) list(p parent) map[string]names {
	in := make(map[string]names)
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
			in[name] = make(names)
		}
		in[name][rest] = true
	}
	return in
}
