package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vademecum/docs"
	"vademecum/docs/meta"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/upkeep"
	"vademecum/internal/present"
)

// find resolves a reference to a document and the fragment in it. A path may
// have a fragment too, unless a file is called so.
func (ix *Index) find(ref string) (*search.Document, string, error) {
	d, fragment, err := ix.findNamed(ref)
	if at := strings.LastIndexByte(ref, '#'); at >= 0 && errors.Is(err, ErrNotFound) {
		if d, _, err := ix.findNamed(ref[:at]); err == nil {
			return d, ref[at+1:], nil
		}
	}
	if errors.Is(err, ErrNotFound) {
		if d := ix.findShown(ref); d != nil {
			return d, "", nil
		}
	}
	return d, fragment, err
}

// findShown finds the one document whose path holds characters that are not shown
// and looks like ref.
func (ix *Index) findShown(ref string) *search.Document {
	var found *search.Document
	for _, d := range ix.everyDocument() {
		if name := ix.folders.Show(d.At()); present.Line(name) == ref && name != ref {
			if found != nil {
				return nil
			}
			found = d
		}
	}
	return found
}

func (ix *Index) findNamed(ref string) (*search.Document, string, error) {
	candidates, fragment, err := ix.locate(ref)
	if err != nil {
		return nil, "", err
	}
	for _, at := range candidates {
		if d, ok := ix.store.Document(at); ok {
			return d, fragment, nil
		}
		if d, ok := ix.keeper.FindUnread(at); ok {
			return d, fragment, nil
		}
	}
	for _, at := range candidates {
		if other, ok := ix.store.Alike(at); ok {
			if d, ok := ix.store.Document(other); ok { // it was there a moment ago
				return d, fragment, nil
			}
		}
		if d, ok := ix.keeper.FindUnreadAlike(at); ok {
			return d, fragment, nil
		}
	}
	return nil, "", fmt.Errorf("%w: %s", ErrNotFound, present.Name(ref))
}

// fileLimit is how long somebody waits for whether a file is there.
const fileLimit = time.Second

// orNotYet returns why there is no document: there may be its file, which a run
// under way has not come to.
func (ix *Index) orNotYet(ctx context.Context, ref string, why error) error {
	if !errors.Is(why, ErrNotFound) || !ix.State().Behind() {
		return why
	}
	places, _, err := ix.locate(ref)
	if err != nil {
		return why
	}
	ctx, cancel := context.WithTimeout(ctx, fileLimit)
	defer cancel()
	for _, at := range places {
		if at.Folder == search.NoFolder || ix.folders[at.Folder].Silent() > 0 {
			continue
		}
		files, err := ix.folders[at.Folder].Scan(ctx, at.Path)
		if err == nil && len(files) == 1 && files[0].Path == at.Path {
			return fmt.Errorf("%s: %w", ix.folders.Show(at), ErrNotYet)
		}
	}
	return why
}

// locate lists the places that a reference may mean, likeliest first.
func (ix *Index) locate(ref string) (places []search.Location, fragment string, err error) {
	switch {
	case strings.HasPrefix(ref, upkeep.TextScheme):
		name, fragment, _ := strings.Cut(ref, "#")
		return []search.Location{{Folder: search.NoFolder, Path: name}}, fragment, nil
	case strings.HasPrefix(strings.ToLower(ref), "file://"):
		abs, fragment, err := docs.ParseFileURI(ref)
		if err != nil {
			return nil, "", err
		}
		return ix.folders.PlacesOfAbsolute(abs), fragment, nil
	}
	places = ix.folders.Places(ref)
	if len(places) == 0 && !filepath.IsAbs(ref) && len(ix.folders) > 0 {
		return nil, "", roots.Outside(ref)
	}
	return places, "", nil
}

// Canonical returns the form of a file URI in which the document that it means is
// listed: another spelling of the folder, another composition of characters and
// other escapes come to the same. A URI of no document is brought into the form
// that a document of that path would have; found says whether there is one.
func (ix *Index) Canonical(uri string) (canonical string, found bool) {
	if strings.HasPrefix(uri, upkeep.TextScheme) {
		_, _, err := ix.find(uri)
		return uri, err == nil
	}
	abs, fragment, err := docs.ParseFileURI(uri)
	if err != nil {
		return uri, false
	}
	if fragment != "" {
		fragment = "#" + fragment
	}
	if d, _, err := ix.find(docs.FileURI(abs)); err == nil {
		return ix.folders.URI(d.At()) + fragment, true
	}
	if places := ix.folders.PlacesOfAbsolute(abs); len(places) > 0 {
		return ix.folders.URI(places[0]) + fragment, false
	}
	return docs.FileURI(abs) + fragment, false
}

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
