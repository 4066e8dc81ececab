package index

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/docs/meta"
	"vademecum/index/search"
	"vademecum/internal/present"
)

// findCalled finds the one note that is called what a reference says, which is no
// path: by its name, an alias, or as a link has it, "[[Kyoto#Temples|the trip]]". It
// returns why not when there is none, and an error that lists them when there are
// several. Of those the one counts that is at that very path.
func (ix *Index) findCalled(ref string, whyNot error) (d *search.Document, heading string, err error) {
	if filepath.IsAbs(ref) || strings.HasPrefix(ref, "/") || strings.Contains(ref, "://") || strings.TrimSpace(ref) != ref {
		return nil, "", whyNot
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(ref, "!"), "[["), "]]")
	inner, _, _ = strings.Cut(inner, "|")
	_, heading, _ = strings.Cut(inner, "#")
	name := meta.LinkName(inner)
	if name == "" {
		return nil, "", whyNot
	}
	for _, whole := range []string{name + ".md", name} { // the path of one of several that are called so
		if d, _, err := ix.findNamed(whole); err == nil {
			return d, heading, nil
		}
	}
	all := ix.searcher.Named(name)
	if indexed := slices.DeleteFunc(slices.Clone(all), func(d *search.Document) bool { return d.Skip != "" }); len(indexed) > 0 {
		all = indexed
	}
	switch len(all) {
	case 0:
		return nil, "", whyNot
	case 1:
		return all[0], heading, nil
	}
	const named = 5
	var paths []string
	for _, d := range all[:min(named, len(all))] {
		paths = append(paths, present.Name(ix.folders.Show(d.At())))
	}
	if more := len(all) - named; more > 0 {
		paths = append(paths, fmt.Sprintf("%d more", more))
	}
	return nil, "", fmt.Errorf("%d documents are called %s: give the path of one: %s", len(all), present.Name(name), strings.Join(paths, "; "))
}

// fewLinks is how many documents that link to another are worth their names: to
// what more link, most are an index or a log.
const fewLinks = 5

// linkedFrom lists the documents that link to one, if they are few.
func (ix *Index) linkedFrom(d *search.Document) []string {
	if paths, all := ix.linking(d); all <= fewLinks {
		return paths
	}
	return nil
}

// mostLinking is how many of the documents that link to one are named.
const mostLinking = 20

// linking lists the first documents that link to one, and counts all.
func (ix *Index) linking(d *search.Document) (paths []string, all int) {
	from := ix.searcher.Linking(d)
	for _, f := range from[:min(len(from), mostLinking)] {
		paths = append(paths, ix.folders.Show(f.At()))
	}
	return paths, len(from)
}
