package index

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// fewLinks is the maximum number of linking documents that are named: if there are more, most are
// indexes or logs.
const fewLinks = 5

// manyLinks is the number of links from which a document counts as an index or a log, whose links
// say little.
const manyLinks = 100

// linkingPaths returns the paths of the documents that link to d, except those with so many links
// that they are indexes or logs. It returns nil if more than fewLinks documents link to d.
func (ix *Index) linkingPaths(docs search.Documents, d *search.Document) (paths []string) {
	from := docs.LinkingTo(d, mostLookedInto)
	if len(from) > fewLinks {
		return nil
	}
	for _, f := range from {
		if len(f.Meta.LinkTargets) < manyLinks {
			paths = append(paths, ix.folders.ShownPath(f.Location()))
		}
	}
	return paths
}

// mostLookedInto is the maximum number of links to a name that are resolved for a reader: if more
// documents link to it, their names do not help. mostLinking is how many of them are named.
const (
	mostLookedInto = 200
	mostLinking    = 20
)

// firstLinking lists the first documents that link to d, and returns the number of all.
func (ix *Index) firstLinking(docs search.Documents, d *search.Document) (paths []string, all int) {
	from := docs.LinkingTo(d, mostLookedInto)
	for _, f := range from[:min(len(from), mostLinking)] {
		paths = append(paths, ix.folders.ShownPath(f.Location()))
	}
	return paths, len(from)
}

// linksOf lists the targets of the links of each document, each once: paths of documents, and names
// of broken links.
func (ix *Index) linksOf(ctx context.Context, docs search.Documents, from []*search.Document) (all []Links) {
	all = make([]Links, len(from))
	lost := make(map[int][]brokenLink) // keyed by folder
	for i, links := range docs.LinksOf(from) {
		for _, l := range links {
			switch {
			case l.Target == nil:
				lost[from[i].Folder] = append(lost[from[i].Folder], brokenLink{i, l.Name, possibleFiles(from[i], l.Name)})
			case l.Target != from[i]:
				all[i].Targets = append(all[i].Targets, ix.folders.ShownPath(l.Target.Location()))
			}
		}
	}
	for folder, links := range lost {
		for _, l := range ix.withoutFile(ctx, folder, links) {
			all[l.from].BrokenNames = append(all[l.from].BrokenNames, strings.TrimPrefix(l.name, "/"))
		}
	}
	for i := range all {
		all[i].Path, all[i].Targets, all[i].BrokenNames = ix.folders.ShownPath(from[i].Location()), distinctStrings(all[i].Targets), distinctStrings(all[i].BrokenNames)
	}
	return all
}

// Links are the links of a document.
type Links struct {
	Path        string   // path of the document
	Targets     []string // paths of the documents that it links to
	BrokenNames []string // names of links that lead neither to a document nor to another file
}

// brokenLink is a link that leads to no document: the index of the linking document, the name in
// the link, and the paths of the files that it may mean.
type brokenLink struct {
	from   int
	name   string
	places []string
}

// possibleFiles lists the paths of files that a link may mean, which are not documents because they
// are hidden or ignored.
func possibleFiles(from *search.Document, link string) (places []string) {
	dirs := []string{"", path.Dir(from.Path)}
	name, isWhole := strings.CutPrefix(link, "/")
	if isWhole {
		dirs = dirs[:1]
	}
	for _, dir := range dirs {
		for _, end := range []string{"", ".md"} {
			if p := path.Join(dir, name) + end; filepath.IsLocal(p) {
				places = append(places, p)
			}
		}
		if archive := archiveOf(path.Join(dir, name)); archive != "" && filepath.IsLocal(archive) {
			places = append(places, archive)
		}
	}
	return places
}

// archiveOf returns the path of the archive that contains the path; "" if none does.
func archiveOf(p string) string {
	const end = ".zip"
	if i := strings.Index(strings.ToLower(p), end+"/"); i >= 0 {
		return p[:i+len(end)]
	}
	return ""
}

// withoutFile returns those links of a folder that lead to no file. If the files are on another
// machine, a missing document suffices.
func (ix *Index) withoutFile(ctx context.Context, folder int, links []brokenLink) []brokenLink {
	if folder == search.NoFolder || ix.folders[folder].IsRemote() {
		return links
	}
	var all []string
	for _, l := range links {
		all = append(all, l.places...)
	}
	lacking := make(map[string]bool)
	for _, p := range ix.folders[folder].MissingPaths(ctx, all) {
		lacking[p] = true
	}
	return slices.DeleteFunc(links, func(l brokenLink) bool {
		return slices.ContainsFunc(l.places, func(p string) bool { return !lacking[p] })
	})
}

// distinctStrings removes duplicates.
func distinctStrings(all []string) []string {
	seen := make(map[string]bool)
	return slices.DeleteFunc(all, func(s string) bool {
		again := seen[s]
		seen[s] = true
		return again
	})
}

// BrokenLinks lists the selected documents that have broken links, by path.
func (ix *Index) BrokenLinks(ctx context.Context, f Filter) ([]Links, error) {
	only, err := ix.searchFilter(ctx, f)
	if err != nil {
		return nil, err
	}
	linking := slices.DeleteFunc(ix.store.Matching(only), func(d *search.Document) bool { return len(d.Meta.LinkTargets) == 0 })
	all := slices.DeleteFunc(ix.linksOf(ctx, ix.store, linking), func(l Links) bool { return len(l.BrokenNames) == 0 })
	slices.SortFunc(all, func(a, b Links) int { return strings.Compare(a.Path, b.Path) })
	return all, ctx.Err()
}

// filterByLinks returns the locations, among the given ones or among all if of is nil, whose
// documents meet the filter's conditions on links.
func (ix *Index) filterByLinks(ctx context.Context, of map[search.Location]bool, f Filter) (map[search.Location]bool, error) {
	for _, by := range []struct {
		name, ref string
		linked    func(*search.Document) []*search.Document
	}{
		{"links_to", f.LinksTo, func(d *search.Document) []*search.Document { return ix.store.LinkingTo(d, 0) }},
		{"linked_from", f.LinkedFrom, ix.linkedDocuments},
	} {
		if by.ref == "" {
			continue
		}
		d, _, err := ix.findReferenced(ctx, by.ref)
		switch {
		case errors.Is(err, ErrNotFound) && len(ix.folders) == 0:
			return map[search.Location]bool{}, nil // no document links to the texts of a client
		case err != nil:
			return nil, message.Errorf("%s: %v", by.name, err)
		}
		some := make(map[search.Location]bool)
		for _, other := range by.linked(d) {
			if at := other.Location(); of == nil || of[at] {
				some[at] = true
			}
		}
		of = some
	}
	return of, nil
}

// linkedDocuments lists the documents that a document links to.
func (ix *Index) linkedDocuments(d *search.Document) (all []*search.Document) {
	for _, l := range ix.store.LinksOf([]*search.Document{d})[0] {
		if l.Target != nil {
			all = append(all, l.Target)
		}
	}
	return all
}
