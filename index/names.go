package index

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"vademecum/docs"
	"vademecum/docs/meta"
	"vademecum/index/ingest"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// findReferenced finds the document that a reference names by its path or name, whether it is
// indexed or not. The error says why there is none.
func (ix *Index) findReferenced(ctx context.Context, ref string) (d *search.Document, fragment string, err error) {
	if d, fragment, err = ix.findReference(ref); errors.Is(err, ErrNotFound) {
		d, fragment, err = ix.findMember(ctx, ref, err)
	}
	if errors.Is(err, ErrNotFound) {
		d, fragment, err = ix.findByNoteName(ref, err)
	}
	if err != nil {
		return nil, "", ix.orSimilar(ref, ix.orNotIndexedYet(ctx, ref, err))
	}
	return ix.followSymlink(d), fragment, nil
}

// orSimilar adds to the reason why there is no document those documents whose names resemble that in
// the reference.
func (ix *Index) orSimilar(ref string, why error) error {
	if !errors.Is(why, ErrNotFound) || errors.As(why, new(suggestionError)) {
		return why
	}
	whole, _, _ := strings.Cut(ref, "#")
	if abs, _, err := docs.ParseFileURI(ref); err == nil {
		whole = abs
	}
	sought := nameStem(strings.Trim(filepath.ToSlash(whole), "![]"))
	var names []string
	byName := make(map[string][]*search.Document)
	for _, d := range ix.everyDocument() {
		name := nameStem(d.Path)
		if byName[name] == nil {
			names = append(names, name)
		}
		byName[name] = append(byName[name], d)
	}
	slices.Sort(names)
	near := byName[present.NearestName(sought, names)]
	if len(near) == 0 {
		return why
	}
	slices.SortFunc(near, func(a, b *search.Document) int { return strings.Compare(a.Path, b.Path) })
	return ix.withSuggestions(why, near)
}

// suggestionError is an error that names the documents that may be meant.
type suggestionError struct{ error }

func (e suggestionError) Unwrap() error { return e.error }

func (ix *Index) withSuggestions(why error, near []*search.Document) error {
	return suggestionError{message.Errorf("%v (did you mean %s?)", why, ix.firstPaths(near))}
}

// nameStem returns the name of a file without its folder and its ending.
func nameStem(file string) string {
	name := path.Base(file)
	return strings.TrimSuffix(name, path.Ext(name))
}

// findIndexed finds the indexed document that a reference names.
func (ix *Index) findIndexed(ctx context.Context, ref string) (d *search.Document, fragment string, err error) {
	if d, fragment, err = ix.findReferenced(ctx, ref); err != nil {
		return nil, "", err
	}
	if d.SkipReason != "" {
		return nil, "", message.Errorf("%s is not indexed: %v", ix.folders.ShownPath(d.Location()), ix.skipOf(d))
	}
	return d, fragment, nil
}

// findReference resolves a reference into a document and the fragment in it. A path may have a
// fragment too, unless there is a file with that name.
func (ix *Index) findReference(ref string) (*search.Document, string, error) {
	d, fragment, err := ix.findByPath(ref)
	if at := strings.LastIndexByte(ref, '#'); at >= 0 && errors.Is(err, ErrNotFound) {
		if d, _, err := ix.findByPath(ref[:at]); err == nil {
			return d, ref[at+1:], nil
		}
	}
	if errors.Is(err, ErrNotFound) {
		if d := ix.findByShownPath(ref); d != nil {
			return d, "", nil
		}
	}
	return d, fragment, err
}

// findByShownPath finds the only document whose path has invisible characters and is displayed as
// ref.
func (ix *Index) findByShownPath(ref string) *search.Document {
	var found *search.Document
	for _, d := range ix.everyDocument() {
		if name := ix.folders.ShownPath(d.Location()); present.CleanLine(name) == ref && name != ref {
			if found != nil {
				return nil
			}
			found = d
		}
	}
	return found
}

func (ix *Index) findByPath(ref string) (*search.Document, string, error) {
	whole, inner, fragment, err := ix.possibleLocations(ref)
	if err != nil {
		return nil, "", err
	}
	if found := ix.documentsAt(whole); len(found) > 0 {
		return found[0], fragment, nil
	}
	switch found := ix.documentsAt(inner); len(found) {
	case 0:
		return nil, "", message.Errorf("%v: %s", ErrNotFound, present.QuoteName(ref))
	case 1:
		return found[0], fragment, nil
	default:
		return nil, "", ix.ambiguousError(ref, found)
	}
}

// documentsAt lists the documents at the given locations, or else those whose paths look alike.
func (ix *Index) documentsAt(places []search.Location) (found []*search.Document) {
	for _, at := range places {
		if d, ok := ix.store.Document(at); ok {
			found = append(found, d)
		} else if d, ok := ix.syncer.FindUnreadDocument(at); ok {
			found = append(found, d)
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, at := range places {
		if other, ok := ix.store.FindEquivalentLocation(at); ok {
			if d, ok := ix.store.Document(other); ok { // unless it was removed in the meantime
				found = append(found, d)
				continue
			}
		}
		if d, ok := ix.syncer.FindWaitingFileWithEquivalentPath(at); ok {
			found = append(found, d)
		}
	}
	return found
}

// ambiguousError says that a reference may mean each of several documents.
func (ix *Index) ambiguousError(ref string, all []*search.Document) error {
	return message.Errorf("%d documents are called %s: give the path of one: %s", len(all), present.QuoteName(ref), ix.firstPaths(all))
}

// firstPaths lists the paths of the first documents.
func (ix *Index) firstPaths(all []*search.Document) string {
	const named = 5
	var paths []string
	for _, d := range all[:min(named, len(all))] {
		paths = append(paths, present.QuoteName(ix.folders.ShownPath(d.Location())))
	}
	if more := len(all) - named; more > 0 {
		paths = append(paths, fmt.Sprintf("%d more", more))
	}
	return strings.Join(paths, "; ")
}

// fileLimit is the timeout for checking whether a file exists.
const fileLimit = time.Second

// orNotIndexedYet returns ErrNotIndexedYet, wrapped, if the file that a reference names exists, and
// otherwise why, the reason why there is no document.
func (ix *Index) orNotIndexedYet(ctx context.Context, ref string, why error) error {
	if !errors.Is(why, ErrNotFound) || !ix.State().IsBehind() {
		return why
	}
	whole, inner, _, err := ix.possibleLocations(ref)
	if err != nil {
		return why
	}
	ctx, cancel := context.WithTimeout(ctx, fileLimit)
	defer cancel()
	for _, at := range append(whole, inner...) {
		if at.Folder == search.NoFolder || ix.folders[at.Folder].UnresponsiveFor() > 0 {
			continue
		}
		files, err := ix.folders[at.Folder].Scan(ctx, at.Path)
		if err == nil && len(files) == 1 && files[0].Path == at.Path {
			return message.Errorf("%s: %v", ix.folders.ShownPath(at), ErrNotIndexedYet)
		}
	}
	return why
}

// possibleLocations lists the locations that a reference may mean, most likely first: those that it
// names directly, and those that it names without the name of their folder.
func (ix *Index) possibleLocations(ref string) (whole, inner []search.Location, fragment string, err error) {
	switch {
	case strings.HasPrefix(ref, ingest.ClientTextURIPrefix):
		name, fragment, _ := strings.Cut(ref, "#")
		return []search.Location{{Folder: search.NoFolder, Path: name}}, nil, fragment, nil
	case strings.HasPrefix(strings.ToLower(ref), "file://"):
		abs, fragment, err := docs.ParseFileURI(ref)
		if err != nil {
			return nil, nil, "", err
		}
		return ix.folders.LocationsOfAbsolutePath(abs), nil, fragment, nil
	}
	whole, inner = ix.folders.PossibleLocations(ref)
	if len(whole)+len(inner) == 0 && !filepath.IsAbs(ref) && len(ix.folders) > 0 {
		return nil, nil, "", roots.OutsideFolderError(ref)
	}
	if len(inner) > 0 && ix.isOnlyShownPath(inner[0].Path) {
		inner = nil
	}
	return whole, inner, "", nil
}

// isOnlyShownPath reports whether a path must begin with the name of a folder: if other processes
// serve other folders, notes/a.md must not mean different files in them.
func (ix *Index) isOnlyShownPath(path string) bool { return ix.isPart && strings.Contains(path, "/") }

// CanonicalURI returns the form of a file URI in which its document is listed: other spellings of
// the folder, other Unicode normalisation forms and other escapes result in the same URI. If there
// is no document, it returns the form that a document with that path would have; found reports
// whether there is one.
func (ix *Index) CanonicalURI(uri string) (canonical string, found bool) {
	if strings.HasPrefix(uri, ingest.ClientTextURIPrefix) {
		_, _, err := ix.findReference(uri)
		return uri, err == nil
	}
	abs, fragment, err := docs.ParseFileURI(uri)
	if err != nil {
		return uri, false
	}
	if fragment != "" {
		fragment = "#" + fragment
	}
	if d, _, err := ix.findReference(docs.FileURI(abs)); err == nil {
		return ix.folders.URI(d.Location()) + fragment, true
	}
	if places := ix.folders.LocationsOfAbsolutePath(abs); len(places) > 0 {
		return ix.folders.URI(places[0]) + fragment, false
	}
	return docs.FileURI(abs) + fragment, false
}

// findByNoteName finds the only note with the name in a reference that is not a path: its file
// name, an alias, a link such as "[[Kyoto#Temples|the trip]]" or, if no note has that name, its title. It returns whyNot if there is
// none, and an error that lists the notes if there are several, unless one of them has exactly that
// path.
func (ix *Index) findByNoteName(ref string, whyNot error) (d *search.Document, heading string, err error) {
	if filepath.IsAbs(ref) || strings.HasPrefix(ref, "/") || strings.Contains(ref, "://") || strings.TrimSpace(ref) != ref {
		return nil, "", whyNot
	}
	inner := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(ref, "!"), "[["), "]]")
	inner, _, _ = strings.Cut(inner, "|")
	_, heading, _ = strings.Cut(inner, "#")
	name := meta.WikiLinkTarget(inner)
	if name == "" {
		return nil, "", whyNot
	}
	if inner == ref && ix.isOnlyShownPath(name) {
		if near := ix.store.LinkTargetsNamed(name); len(near) > 0 {
			return nil, "", ix.withSuggestions(whyNot, near)
		}
		return nil, "", whyNot
	}
	// the exact path among several notes with that name
	for _, whole := range []string{name + ".md", name} {
		if d, _, err := ix.findByPath(whole); err == nil {
			return d, heading, nil
		}
	}
	all := ix.store.LinkTargetsNamed(name)
	if indexed := slices.DeleteFunc(slices.Clone(all), func(d *search.Document) bool { return d.SkipReason != "" }); len(indexed) > 0 {
		all = indexed
	}
	if len(all) == 0 {
		all = ix.documentsTitled(name)
	}
	switch len(all) {
	case 0:
		return nil, "", whyNot
	case 1:
		return all[0], heading, nil
	}
	return nil, "", ix.ambiguousError(name, all)
}

// documentsTitled lists the documents with a title, by location: people write titles where names of
// files are expected.
func (ix *Index) documentsTitled(title string) (all []*search.Document) {
	folded := meta.Fold(title)
	for _, d := range ix.everyDocument() {
		if d.SkipReason == "" && meta.Fold(d.Title) == folded {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b *search.Document) int { return strings.Compare(a.Path, b.Path) })
	return all
}
