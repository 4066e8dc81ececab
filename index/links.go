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

// fewLinks is how many documents that link to another are worth their names: to
// what more link, most are an index or a log.
const fewLinks = 5

// manyLinks is how many links a document has that says little of each: an index or a log.
const manyLinks = 100

// linkingPaths lists the documents that link to one, if they are few, without those that link
// to everything.
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

// mostLookedInto is how many links to a name are looked into for a reader: where more documents
// link to one, to name them is of no help. mostLinking are named of them.
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

// linksOf lists what some documents link to, of each once: the paths of documents, and the
// names of links that lead nowhere.
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

// Links are those of a document.
type Links struct {
	Path    string   // its own
	To      []string // the paths of documents that it links to
	Nowhere []string // the names of links that lead to none, nor to a file that is none
}

// brokenLink is one that leads to no document, with the number of that which has it, and the
// paths at which it may mean a file.
type brokenLink struct {
	from   int
	name   string
	places []string
}

// possibleFiles lists the paths at which a link may mean a file that is no document, as it is
// hidden or ignored.
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

// archiveOf is the path of the archive that a path leads into, "" where it leads into none.
func archiveOf(p string) string {
	const end = ".zip"
	if i := strings.Index(strings.ToLower(p), end+"/"); i >= 0 {
		return p[:i+len(end)]
	}
	return ""
}

// withoutFile returns those of some links of a folder that lead to no file. Where the files are
// not seen, no document is enough.
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

// distinctStrings leaves out what came before.
func distinctStrings(all []string) []string {
	seen := make(map[string]bool)
	return slices.DeleteFunc(all, func(s string) bool {
		again := seen[s]
		seen[s] = true
		return again
	})
}

// BrokenLinks lists those of the documents that a filter means which have links that lead
// nowhere, in the order of their paths.
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

// filterByLinks returns those of some places, nil for all, whose documents link to one that a
// filter names, and that another links to.
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
			return map[search.Location]bool{}, nil // the texts of a client are linked to by none
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

// linkedDocuments lists the documents that one links to.
func (ix *Index) linkedDocuments(d *search.Document) (all []*search.Document) {
	for _, l := range ix.store.LinksOf([]*search.Document{d})[0] {
		if l.To != nil {
			all = append(all, l.To)
		}
	}
	return all
}
