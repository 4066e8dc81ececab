package live

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"vademecum/docs/meta"
	"vademecum/index/facet"
	"vademecum/index/search"
)

// A link names a note as people do: by its name, with so much of its path before as
// they like, or by an alias. A link of Markdown has been made the whole path, which
// begins with a slash.

// isNamed tells whether a document is what a link names, by its path.
func isNamed(d *search.Document, link string) bool {
	link = meta.Fold(link)
	whole := "/" + meta.Fold(d.Path)
	for _, p := range []string{whole, strings.TrimSuffix(whole, path.Ext(whole))} {
		if p == link || !strings.HasPrefix(link, "/") && strings.HasSuffix(p, "/"+link) {
			return true
		}
	}
	return false
}

// candidates lists the documents that a link may mean: those that it names by their
// paths, or else those that have it for an alias.
func (m *Memory) candidates(link string) []*search.Document {
	link = strings.TrimSuffix(link, ".md")
	byPath := m.withNumbers(m.said.Named(path.Base(link)))
	byPath = slices.DeleteFunc(byPath, func(d *search.Document) bool { return !isNamed(d, link) })
	if len(byPath) > 0 || strings.HasPrefix(link, "/") {
		return byPath
	}
	byAlias := m.withNumbers(m.said.Named(link))
	return slices.DeleteFunc(byAlias, func(d *search.Document) bool {
		return !hasAlias(d, link)
	})
}

func hasAlias(d *search.Document, link string) bool {
	return slices.ContainsFunc(d.Meta.Aliases(), func(a string) bool { return meta.Fold(a) == meta.Fold(link) })
}

func (m *Memory) withNumbers(numbers []facet.Number) []*search.Document {
	all := make([]*search.Document, len(numbers))
	for i, n := range numbers {
		all[i] = m.numbered[n].document
	}
	return all
}

// leadsTo tells whether a link of a document is to another: of several that it may
// mean it is to a note rather than another file, one in the same folder, or else that
// with the shortest path.
func (m *Memory) leadsTo(from *search.Document, link string, to *search.Document) bool {
	if strings.HasPrefix(link, "/") {
		return isNamed(to, link)
	}
	if !isNamed(to, strings.TrimSuffix(link, ".md")) && !hasAlias(to, link) {
		return false
	}
	all := slices.DeleteFunc(m.candidates(link), func(d *search.Document) bool { return d.Folder != from.Folder })
	if len(all) == 0 {
		return false
	}
	isBeside := func(d *search.Document) int {
		if path.Dir(d.Path) == path.Dir(from.Path) {
			return 0
		}
		return 1
	}
	isNote := func(d *search.Document) int {
		if d.Skip == "" && strings.EqualFold(path.Ext(d.Path), ".md") {
			return 0
		}
		return 1
	}
	return slices.MinFunc(all, func(a, b *search.Document) int {
		return cmp.Or(cmp.Compare(isNote(a), isNote(b)), cmp.Compare(isBeside(a), isBeside(b)), cmp.Compare(len(a.Path), len(b.Path)), cmp.Compare(a.Path, b.Path))
	}).At() == to.At()
}

// Named lists the documents that a link of that name may mean.
func (st *Store) Named(name string) []*search.Document {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	all := st.candidates(strings.TrimPrefix(name, "/"))
	slices.SortFunc(all, inPlaces)
	return all
}

// mostLinking is how many links to a name are looked into: where more documents
// link to one, to name them is of no help.
const mostLinking = 200

// Linking lists the documents that link to one, none when too many have links to
// its name.
func (st *Store) Linking(to *search.Document) []*search.Document {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	var all []*search.Document
	for _, name := range namesOf(to) {
		numbers := st.said.Linking(name)
		if len(numbers) > mostLinking {
			return nil
		}
		for _, from := range st.withNumbers(numbers) {
			isLink := func(link string) bool {
				return meta.Fold(path.Base(link)) == meta.Fold(name) && st.leadsTo(from, link, to)
			}
			if from.Path != to.Path && from.Folder == to.Folder && slices.ContainsFunc(from.Meta.Links, isLink) {
				all = append(all, from)
			}
		}
	}
	slices.SortFunc(all, inPlaces)
	return slices.Compact(all)
}

func inPlaces(a, b *search.Document) int {
	return cmp.Or(cmp.Compare(a.Folder, b.Folder), strings.Compare(a.Path, b.Path))
}
