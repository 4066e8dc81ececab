package roots

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"vademecum/docs"
	"vademecum/index/search"
	"vademecum/internal/base/glob"
	"vademecum/internal/base/present"
)

// ShownPath returns the path of a document as shown to users, with the name of its folder if there are
// several.
func (s Set) ShownPath(at search.Location) string {
	if at.Folder == search.NoFolder {
		return at.Path
	}
	return s[at.Folder].ShownPath(at.Path)
}

// ShownPath returns a path in the folder as shown to users.
func (r Root) ShownPath(path string) string { return r.prefix + path }

// ShownPathAndLines returns the path of the document of a chunk and the lines of the chunk, as shown to users.
func (s Set) ShownPathAndLines(c search.Chunk) string {
	return fmt.Sprintf("%s, lines %d-%d", s.ShownPath(c.Document.Location()), c.Span.StartLine, c.Span.EndLine)
}

// URI returns the URI of a document: that of its file, or for a text sent by a client, its path.
func (s Set) URI(at search.Location) string {
	if at.Folder == search.NoFolder {
		return at.Path
	}
	return docs.FileURI(filepath.Join(s[at.Folder].Dir(), filepath.FromSlash(at.Path)))
}

// FolderURIs lists the URI of each folder.
func (s Set) FolderURIs() []string {
	all := make([]string, len(s))
	for i, f := range s {
		all[i] = docs.FileURI(f.Dir())
	}
	return all
}

// PossibleLocations lists the locations that a path, as shown or absolute, may denote (whole), and those
// that it may denote if the name of a folder was omitted in it (inner), most likely first. Both are
// empty if the path leads out of the folders.
func (s Set) PossibleLocations(p string) (whole, inner []search.Location) {
	if filepath.IsAbs(p) {
		return s.LocationsOfAbsolutePath(p), nil
	}
	clean := path.Clean(filepath.ToSlash(p))
	if !filepath.IsLocal(filepath.FromSlash(clean)) {
		return nil, nil
	}
	for i, f := range s {
		switch rest, ok := cutPrefixAnyForm(clean+"/", f.prefix); {
		case f.prefix == "":
			whole = append(whole, search.Location{Folder: i, Path: clean})
			continue
		case ok:
			whole = append(whole, search.Location{Folder: i, Path: cmp.Or(strings.TrimSuffix(rest, "/"), ".")})
		}
		inner = append(inner, search.Location{Folder: i, Path: clean})
	}
	return whole, inner
}

// cutPrefixAnyForm removes a prefix, regardless of Unicode normalisation forms.
func cutPrefixAnyForm(p, prefix string) (rest string, ok bool) {
	if rest, ok := strings.CutPrefix(p, prefix); ok {
		return rest, true
	}
	return strings.CutPrefix(norm.NFC.String(p), norm.NFC.String(prefix))
}

// LocationsOfAbsolutePath lists the locations that an absolute path may denote, for any spelling of the
// folders.
func (s Set) LocationsOfAbsolutePath(p string) []search.Location {
	var places []search.Location
	for i, f := range s {
		if rel, ok := f.RelativePath(p); ok {
			places = append(places, search.Location{Folder: i, Path: rel})
		}
	}
	return places
}

// ParsePathGlob parses a path that selects documents: a glob, or the URI of a document or folder, which
// selects only that. A nil result selects everything.
func ParsePathGlob(p string) (*glob.Glob, error) {
	if strings.HasPrefix(strings.ToLower(p[:min(len(p), len("file:/"))]), "file:/") {
		abs, _, err := docs.ParseFileURI(p)
		if err != nil {
			return nil, glob.Errorf("%v", err)
		}
		return glob.FromPath(filepath.ToSlash(abs)), nil
	}
	g := glob.Parse(p)
	if g != nil && (g.Pattern == ".." || strings.HasPrefix(g.Pattern, "../")) {
		return nil, OutsideFolderError(p)
	}
	return g, nil
}

// OutsideFolderError returns the error for a path that leads out of the folders.
func OutsideFolderError(p string) error {
	return glob.Errorf("path %s is outside the folder: give a path as list_docs shows it", present.QuoteName(p))
}
