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

// fewLinks is the most linking documents that are named: if there are more, most are an index or
// a log.
const fewLinks = 5

// manyLinks is how many links make a document an index or a log, whose links say little.
const manyLinks = 100

// linkingPaths lists the documents that link to one, if they are few, without those that link to
// everything.
func (ix *Index) linkingPaths(docs search.Documents, d *search.Document) (paths []string) {
	from := docs.LinkingTo(d, mostLookedInto)
	if len(from) > fewLinks {
		return nil
	}
	for _, f := range from {
		if len(f.Meta.Links) < manyLinks {
			paths = append(paths, ix.folders.ShownPath(f.Location()))
		}
	}
	return paths
}

// mostLookedInto is how many links to a name are resolved for a reader: if more documents link to
// one, their names do not help. mostLinking is how many of them are named.
const (
	mostLookedInto = 200
	mostLinking    = 20
)

// firstLinking lists the first documents that link to one, and counts all.
func (ix *Index) firstLinking(docs search.Documents, d *search.Document) (paths []string, all int) {
	from := docs.LinkingTo(d, mostLookedInto)
	for _, f := range from[:min(len(from), mostLinking)] {
		paths = append(paths, ix.folders.ShownPath(f.Location()))
	}
	return paths, len(from)
}

// linksOf lists the targets of some documents' links, each once: the paths of documents, and the
// names of broken links.
func (ix *Index) linksOf(ctx context.Context, docs search.Documents, from []*search.Document) (all []Links) {
	all = make([]Links, len(from))
	lost := make(map[int][]brokenLink) // by folder
	for i, links := range docs.LinksOf(from) {
		for _, l := range links {
			switch {
			case l.To == nil:
				lost[from[i].Folder] = append(lost[from[i].Folder], brokenLink{i, l.Name, possibleFiles(from[i], l.Name)})
			case l.To != from[i]:
				all[i].To = append(all[i].To, ix.folders.ShownPath(l.To.Location()))
			}
		}
	}
	for folder, links := range lost {
		for _, l := range ix.withoutFile(ctx, folder, links) {
			all[l.from].Nowhere = append(all[l.from].Nowhere, strings.TrimPrefix(l.name, "/"))
		}
	}
	for i := range all {
		all[i].Path, all[i].To, all[i].Nowhere = ix.folders.ShownPath(from[i].Location()), distinctStrings(all[i].To), distinctStrings(all[i].Nowhere)
	}
	return all
}

// Links are the links of a document.
type Links struct {
	Path    string   // its own
	To      []string // paths of the documents that it links to
	Nowhere []string // names of links that lead to no document or other file
}

// brokenLink is a link that leads to no document, with the number of its document, and the paths
// at which it may mean a file.
type brokenLink struct {
	from   int
	name   string
	places []string
}

// possibleFiles lists the paths at which a link may mean a file that is not a document because it
// is hidden or ignored.
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

// archiveOf returns the path of the archive that a path leads into, "" if none.
func archiveOf(p string) string {
	const end = ".zip"
	if i := strings.Index(strings.ToLower(p), end+"/"); i >= 0 {
		return p[:i+len(end)]
	}
	return ""
}

// withoutFile returns those of some links of a folder that lead to no file. Where the files are
// not seen, a missing document suffices.
func (ix *Index) withoutFile(ctx context.Context, folder int, links []brokenLink) []brokenLink {
	if folder == search.NoFolder || ix.folders[folder].IsRemote() {
		return links
	}
	var all []string
	for _, l := range links {
		all = append(all, l.places...)
	}
	lacking := make(map[string]bool)
	for _, p := range ix.folders[folder].FilterMissing(ctx, all) {
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

// BrokenLinks lists the selected documents with links that lead nowhere, by path.
func (ix *Index) BrokenLinks(ctx context.Context, f Filter) ([]Links, error) {
	only, err := ix.searchFilter(ctx, f)
	if err != nil {
		return nil, err
	}
	linking := slices.DeleteFunc(ix.store.Admitted(only), func(d *search.Document) bool { return len(d.Meta.Links) == 0 })
	all := slices.DeleteFunc(ix.linksOf(ctx, ix.store, linking), func(l Links) bool { return len(l.Nowhere) == 0 })
	slices.SortFunc(all, func(a, b Links) int { return strings.Compare(a.Path, b.Path) })
	return all, ctx.Err()
}

// filterByLinks returns those of some locations, nil for all, whose documents meet the conditions
// of a filter on links.
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
		if l.To != nil {
			all = append(all, l.To)
		}
	}
	return all
}
