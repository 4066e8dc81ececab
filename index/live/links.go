package live

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"vademecum/docs/meta"
	"vademecum/index/facet"
	"vademecum/index/search"
)

// A link names a note as people do: by its name, optionally preceded by a part of its path, or by
// an alias. Links of Markdown have been converted to the whole path, which begins with a slash.

// isNamed reports whether a link refers to a document by its path.
func isNamed(d *search.Document, link string) bool {
	return isAt(d.Path, link) || isAt(strings.TrimSuffix(d.Path, path.Ext(d.Path)), link)
}

// isAt reports whether a path equals a link or ends with it.
func isAt(p, link string) bool {
	link, isWhole := strings.CutPrefix(link, "/")
	if !isASCII(p) || !isASCII(link) {
		p, link = meta.Fold(p), meta.Fold(link)
	}
	before := len(p) - len(link)
	return before >= 0 && (before == 0 || !isWhole && p[before-1] == '/') && strings.EqualFold(p[before:], link)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// linkCandidates returns the documents that a link may refer to: those that it names by path, or
// else those that have it as an alias.
func (m *Documents) linkCandidates(link string) []*search.Document {
	link = strings.TrimSuffix(link, ".md")
	byPath := m.withNumbers(m.facts().WithOwnLinkName(path.Base(link)))
	byPath = slices.DeleteFunc(byPath, func(d *search.Document) bool { return !isNamed(d, link) })
	if len(byPath) > 0 || strings.HasPrefix(link, "/") {
		return byPath
	}
	byAlias := m.withNumbers(m.facts().WithOwnLinkName(link))
	return slices.DeleteFunc(byAlias, func(d *search.Document) bool {
		return !hasAlias(d, link)
	})
}

func hasAlias(d *search.Document, link string) bool {
	return slices.ContainsFunc(d.Meta.Aliases(), func(a string) bool { return meta.Fold(a) == meta.Fold(link) })
}

func (m *Documents) withNumbers(numbers []facet.DocumentNumber) []*search.Document {
	all := make([]*search.Document, len(numbers))
	for i, n := range numbers {
		all[i] = m.numbered[n]
	}
	return all
}

// linkTargets resolves the links of documents in a folder. If a link may refer to several
// documents, notes are preferred to other files, then a document in the directory of the linking
// document, and then the one with the shortest path. Each link is resolved only once, because
// thousands of documents may link to the same name.
type linkTargets struct {
	*Documents
	folder int
	dirs   map[string]bool       // directories of the linking documents
	known  map[string]linkTarget // by link
}

// linkTarget holds the documents to which a link with the same text leads, which depend on the
// directory of the document that has the link.
type linkTarget struct {
	beside map[string]*search.Document // by directory, the target of links from there
	first  *search.Document            // target of links from other directories; nil if there is none
}

func (m *Documents) newLinkTargets(folder int, links []*search.Document) *linkTargets {
	a := &linkTargets{Documents: m, folder: folder, dirs: make(map[string]bool), known: make(map[string]linkTarget)}
	for _, from := range links {
		a.dirs[path.Dir(from.Path)] = true
	}
	return a
}

// leadsTo reports whether a link of a document leads to another document.
func (a *linkTargets) leadsTo(from *search.Document, link string, to *search.Document) bool {
	if strings.HasPrefix(link, "/") {
		return isNamed(to, link)
	}
	if !isNamed(to, strings.TrimSuffix(link, ".md")) && !hasAlias(to, link) {
		return false
	}
	best := a.targetOf(from, link)
	return best != nil && best.Location() == to.Location()
}

// targetOf returns the document that a link leads to, or nil if there is none.
func (a *linkTargets) targetOf(from *search.Document, link string) *search.Document {
	link = meta.Fold(link)
	at, ok := a.known[link]
	if !ok {
		at = a.findTarget(link)
		a.known[link] = at
	}
	if beside := at.beside[path.Dir(from.Path)]; beside != nil && isNote(beside) == isNote(at.first) {
		return beside
	}
	return at.first
}

func (a *linkTargets) findTarget(link string) linkTarget {
	found := linkTarget{beside: make(map[string]*search.Document)}
	for _, d := range a.linkCandidates(link) {
		if d.Folder != a.folder {
			continue
		}
		found.first = nearerDocument(found.first, d)
		if dir := path.Dir(d.Path); a.dirs[dir] {
			found.beside[dir] = nearerDocument(found.beside[dir], d)
		}
	}
	return found
}

// nearerDocument returns the one of two documents that is more likely the target of a link; a may be
// nil.
func nearerDocument(a, b *search.Document) *search.Document {
	switch {
	case a == nil, isNote(b) && !isNote(a):
		return b
	case isNote(a) == isNote(b) && cmp.Or(cmp.Compare(len(b.Path), len(a.Path)), cmp.Compare(b.Path, a.Path)) < 0:
		return b
	}
	return a
}

func isNote(d *search.Document) bool {
	return d.SkipReason == "" && strings.EqualFold(path.Ext(d.Path), ".md")
}

// LinkTargetsNamed returns the documents that a link with the given name may refer to.
func (st *Store) LinkTargetsNamed(name string) []*search.Document {
	all := readLocked(st, func(docs *Documents) []*search.Document { return docs.linkCandidates(strings.TrimPrefix(name, "/")) })
	slices.SortFunc(all, compareLocations)
	return all
}

// LinkingTo returns the documents that link to a document. It returns none if more than limit documents
// have links with its name; 0 means no limit.
func (st *Store) LinkingTo(to *search.Document, limit int) []*search.Document {
	return readLocked(st, func(docs *Documents) []*search.Document { return docs.linkingTo(to, limit) })
}

// LinksOf returns the links of each document with their targets, in order.
func (st *Store) LinksOf(from []*search.Document) [][]search.Link {
	return readLocked(st, func(docs *Documents) [][]search.Link { return docs.linksOf(from) })
}

// LinkTarget returns the target of a link of a document, or nil if there is none.
func (st *Store) LinkTarget(from *search.Document, link string) *search.Document {
	return readLocked(st, func(docs *Documents) *search.Document {
		return docs.newLinkTargets(from.Folder, []*search.Document{from}).targetOf(from, link)
	})
}

func (m *Documents) linksOf(all []*search.Document) [][]search.Link {
	links := make([][]search.Link, len(all))
	targets := make(map[int]*linkTargets) // by folder
	for i, from := range all {
		a := targets[from.Folder]
		if a == nil {
			a = m.newLinkTargets(from.Folder, all)
			targets[from.Folder] = a
		}
		for _, link := range from.Meta.LinkTargets {
			links[i] = append(links[i], search.Link{Name: link, Target: a.targetOf(from, link)})
		}
	}
	return links
}

func (m *Documents) linkingTo(to *search.Document, most int) []*search.Document {
	var all []*search.Document
	for _, name := range namesOf(to) {
		name = path.Base(name) // for an alias with folders; links are indexed by their last element
		numbers := m.links.facetsOf(m.numbered).LinkingTo(name)
		if most > 0 && len(numbers) > most {
			return nil
		}
		linking := m.withNumbers(numbers)
		targets := m.newLinkTargets(to.Folder, linking)
		for _, from := range linking {
			isLink := func(link string) bool {
				return meta.Fold(path.Base(link)) == meta.Fold(name) && targets.leadsTo(from, link, to)
			}
			if from.Path != to.Path && from.Folder == to.Folder && slices.ContainsFunc(from.Meta.LinkTargets, isLink) {
				all = append(all, from)
			}
		}
	}
	slices.SortFunc(all, compareLocations)
	return slices.Compact(all)
}

func compareLocations(a, b *search.Document) int {
	return cmp.Or(cmp.Compare(a.Folder, b.Folder), strings.Compare(a.Path, b.Path))
}
