package index

import (
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"vademecum/docs/meta"
	"vademecum/index/search"
)

// SortOrder is the sort key of a list of documents.
type SortOrder uint8

// Orders of a list. Documents that compare equal are sorted by path.
const (
	// if a name is given, matches in file names come before matches in folders, and files that are
	// not indexed come last
	OrderByPath  SortOrder = iota
	OrderByTitle           // in natural order, ignoring case
	// the date stated in the document, or else the modification time of its file; latest first
	OrderByDate
	OrderBySize // largest first
)

// BrowseQuery selects the documents to list, and their order.
type BrowseQuery struct {
	Filter
	// TitleOrPathPart is a part of the title or the path, ignoring case; its words need not be adjacent. If it
	// is set, files that are not indexed are listed too.
	TitleOrPathPart string
	Order           SortOrder
	IsReversed      bool
	Offset, Limit   int // number of documents to skip, and maximum number to list
}

// Listing is the result of Browse.
type Listing struct {
	Documents []Document
	Total     int // number of all matching documents
}

// Browse lists documents.
func (ix *Index) Browse(ctx context.Context, q BrowseQuery) (Listing, error) {
	only, err := ix.searchFilter(ctx, q.Filter)
	if err != nil {
		return Listing{}, err
	}
	var listing Listing
	var first []listedDocument
	compare, wanted := q.compare(), q.Offset+q.Limit
	isEnough := false // first holds enough documents, in order
	cut := func() {
		slices.SortFunc(first, compare)
		isEnough = len(first) >= wanted && wanted > 0
		first = first[:min(len(first), wanted)]
	}
	words := strings.Fields(meta.Fold(q.TitleOrPathPart))
	for _, d := range ix.store.Matching(only) {
		one := listedDocument{path: ix.folders.ShownPath(d.Location()), Document: d}
		if d.SkipReason != "" && len(words) == 0 || !one.has(words) {
			continue
		}
		switch q.Order {
		case OrderByPath:
			one.rank = one.rankBy(words)
		case OrderByTitle:
			one.title = meta.Fold(d.Title)
		case OrderByDate:
			one.day = d.EffectiveDate()
		}
		listing.Total++
		if isEnough && compare(one, first[wanted-1]) > 0 {
			continue
		}
		if first = append(first, one); len(first) >= 2*wanted+1000 {
			cut()
		}
	}
	cut()
	for _, one := range first[min(q.Offset, len(first)):] {
		listing.Documents = append(listing.Documents, ix.describe(one.Document))
	}
	return listing, ctx.Err()
}

// listedDocument is a document with its sort keys.
type listedDocument struct {
	path, title string
	day         meta.Date
	rank        int
	*search.Document
}

// has reports whether the title or the path contains each word.
func (l listedDocument) has(words []string) bool {
	if len(words) == 0 {
		return true
	}
	path, title := meta.Fold(l.path), ""
	for _, w := range words { // words contain no space
		if strings.Contains(path, w) {
			continue
		}
		if title == "" {
			title = meta.Fold(l.Title)
		}
		if !strings.Contains(title, w) {
			return false
		}
	}
	return true
}

// rankBy returns the rank of a document for the words of a name; lower ranks come first.
func (l listedDocument) rankBy(words []string) (rank int) {
	if len(words) == 0 {
		return 0
	}
	if l.SkipReason != "" {
		rank = 2
	}
	called := meta.Fold(path.Base(l.path)) + "\n" + meta.Fold(l.Title)
	if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(called, w) }) {
		rank++
	}
	return rank
}

// compare returns the function that compares documents in the requested order.
func (q BrowseQuery) compare() func(a, b listedDocument) int {
	by := func(a, b listedDocument) int { return 0 }
	switch q.Order {
	case OrderByTitle:
		by = func(a, b listedDocument) int { return cmp.Compare(a.title, b.title) }
	case OrderByDate:
		by = func(a, b listedDocument) int {
			return cmp.Or(cmp.Compare(b.day, a.day), b.Modified().Compare(a.Modified()))
		}
	case OrderBySize:
		by = func(a, b listedDocument) int { return cmp.Compare(b.Size, a.Size) }
	}
	sign := 1
	if q.IsReversed {
		sign = -1
	}
	return func(a, b listedDocument) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), sign*cmp.Or(by(a, b), cmp.Compare(a.path, b.path)))
	}
}

// Directory is a directory that contains documents.
type Directory struct {
	Path               string // as shown
	Name               string // last element of the path
	DocumentCount      int    // searchable documents in it and below
	Subdirectories     []Directory
	MoreSubdirectories int // number of inner directories that are not listed
}

// mostDirectories is the maximum number of inner directories listed for a directory.
const mostDirectories = 500

// deepestDirectory is the maximum depth of an open directory.
const deepestDirectory = 32

// DirectoryTree lists the top-level directories that contain documents, by name, and the inner directories
// of each directory on the path to the open one. If openPath is "", no directory is open.
func (ix *Index) DirectoryTree(ctx context.Context, openPath string) (Directory, error) {
	openPath = strings.Trim(openPath, "/")
	root, err := ix.trees.get(ix.store.ChangeNumber(), openPath, func() (Directory, error) { return ix.newTree(openPath), nil })
	return root, errors.Join(err, ctx.Err())
}

func (ix *Index) newTree(open string) Directory {
	var above []string // directories whose inner directories are listed
	for at := open; at != "" && at != "." && len(above) < deepestDirectory; at = path.Dir(at) {
		above = append(above, at)
	}
	counts := map[string]map[string]int{"": {}}
	for _, dir := range above {
		counts[dir] = make(map[string]int)
	}
	root := Directory{}
	for _, d := range ix.store.Matching(search.Filter{}) {
		if d.SkipReason != "" {
			continue
		}
		root.DocumentCount++
		shown := ix.folders.ShownPath(d.Location())
		for dir, inner := range counts {
			rest := shown
			if dir != "" {
				var isIn bool
				if rest, isIn = strings.CutPrefix(shown, dir+"/"); !isIn {
					continue
				}
			}
			if name, _, isDeeper := strings.Cut(rest, "/"); isDeeper {
				inner[name]++
			}
		}
	}
	root.fill(counts)
	return root
}

// fill adds the inner directories that contain documents. counts has the numbers of documents by
// directory and by the name of an inner directory; only directories in it are filled.
func (d *Directory) fill(counts map[string]map[string]int) {
	inner := counts[d.Path]
	names := make([]string, 0, len(inner))
	for name := range inner {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		one := Directory{Path: path.Join(d.Path, name), Name: name, DocumentCount: inner[name]}
		_, isOpen := counts[one.Path]
		if len(d.Subdirectories) >= mostDirectories && !isOpen {
			d.MoreSubdirectories++
			continue
		}
		one.fill(counts)
		d.Subdirectories = append(d.Subdirectories, one)
	}
}
