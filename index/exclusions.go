package index

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"vademecum/docs"
	"vademecum/index/search"
	"vademecum/internal/base/message"
)

// Exclusions lists the files and directories that rules exclude, by path as shown. It walks the
// folders. The error matches docs.ErrRemoteFolder if the files are on other machines.
func (ix *Index) Exclusions(ctx context.Context) ([]docs.Exclusion, error) {
	var all []docs.Exclusion
	for _, f := range ix.folders {
		left, err := f.Exclusions(ctx)
		if err != nil {
			return nil, err
		}
		for _, l := range left {
			l.Path = f.ShownPath(l.Path)
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b docs.Exclusion) int { return cmp.Compare(a.Path, b.Path) })
	return all, nil
}

// File is a file in one of the folders, or in an archive there. It states whether the file is
// searchable, and if not, why.
type File struct {
	Path         string `json:"path"` // as shown
	IsSearchable bool   `json:"found"`
	// why it is not indexed; "" if it is searchable or excluded
	SkipReason message.Message `json:"reason,omitempty"`
	// rule that excludes the file, or a directory above it; nil if none
	Exclusion *docs.Exclusion `json:"left_out,omitempty"`
}

// Message describes the status of the file in words.
func (f File) Message() message.Message {
	switch {
	case f.IsSearchable:
		return message.New("%s: it is indexed and can be found", f.Path)
	case f.Exclusion == nil:
		return message.New("%s: not indexed: %v", f.Path, f.SkipReason)
	case f.Exclusion.IsDir:
		return message.New("%s/: left out with everything in it: %v", f.Path, message.Join(f.Exclusion.Rule.Message(), f.Exclusion.Remedy()))
	}
	return message.New("%s: left out: %v", f.Path, f.Exclusion.Rule.Message())
}

// FindFiles lists the files that may be meant by a name, some parts of a path, or a path, which may be
// absolute; exact matches come first. If no file is called so, it lists those in whose paths the name
// occurs. Files below an excluded directory are found only by their paths. Files in archives are
// included. exclusions is the result of Exclusions.
func (ix *Index) FindFiles(ctx context.Context, name string, exclusions []docs.Exclusion) ([]File, error) {
	m := ix.soughtName(name)
	var all []File
	for i, l := range exclusions {
		if m.matches(l.Path) || l.IsDir && m.leadsThrough(l.Path) {
			all = append(all, File{Path: l.Path, Exclusion: &exclusions[i]})
		}
	}
	var found []*search.Document
	for _, d := range ix.everyDocument() {
		members, err := ix.findMembers(ctx, m, d)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return nil, err
		}
		all = append(all, members...)
		if shown := ix.folders.ShownPath(d.Location()); m.matches(shown) || d.SkipReason != "" && len(members) == 0 && m.leadsThrough(shown) {
			found = append(found, d)
		}
	}
	lost := ix.documentsWithLostText(ctx, found)
	for _, d := range found {
		f := File{Path: ix.folders.ShownPath(d.Location()), IsSearchable: d.SkipReason == "", SkipReason: ix.skipOf(d)}
		if lost[d] {
			f.IsSearchable, f.SkipReason = false, message.New("the index has lost its text: vademecum index FOLDER reads it again")
		}
		all = append(all, f)
	}
	return m.closest(all), ctx.Err()
}

// ClosestFiles returns of files that a name may mean those that FindFiles would list, in its order.
func (ix *Index) ClosestFiles(name string, all []File) []File {
	return ix.soughtName(name).closest(all)
}

// mostRead is the maximum number of documents read to check that their texts are intact.
const mostRead = 100

// documentsWithLostText returns those of the first mostRead documents whose texts are lost.
func (ix *Index) documentsWithLostText(ctx context.Context, of []*search.Document) map[*search.Document]bool {
	of = slices.DeleteFunc(slices.Clone(of), func(d *search.Document) bool { return d.SkipReason != "" })
	lost := make(map[*search.Document]bool)
	if _, err := ix.store.LoadBodies(ctx, of[:min(len(of), mostRead)]); !errors.Is(err, ErrDamaged) {
		return lost
	}
	for folder := range ix.folders {
		for _, d := range ix.store.DocumentsWithLostText(folder) {
			lost[d] = true
		}
	}
	return lost
}

// soughtName is a file name or path to find, ignoring case.
type soughtName struct {
	folded string
	// it is the whole path of a file or folder, not only a part of one; "" is a folder of the index
	isWhole bool
}

// soughtName returns a name as it is sought in paths in the form shown. An absolute path in one of the
// folders means that file, or all in that folder, and no others of the same name.
func (ix *Index) soughtName(name string) soughtName {
	name = strings.TrimSpace(name)
	if filepath.IsAbs(name) {
		for _, at := range ix.folders.LocationsOfAbsolutePath(filepath.Clean(name)) {
			whole := strings.TrimPrefix(foldedPath(ix.folders.ShownPath(at))+"/", "./")
			return soughtName{strings.TrimSuffix(whole, "/"), true}
		}
	}
	return soughtName{folded: foldedPath(strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(name), "./"), "/"))}
}

func foldedPath(path string) string { return strings.ToLower(norm.NFC.String(path)) }

func (m soughtName) matches(path string) bool {
	if path = foldedPath(path); m.isWhole {
		return m.folded == "" || path == m.folded || strings.HasPrefix(path, m.folded+"/")
	}
	return m.folded != "" && strings.Contains(path, m.folded)
}

// closest returns the files whose paths have the sought name as whole parts, or else all; those whose
// paths equal it come first.
func (m soughtName) closest(all []File) []File {
	slices.SortFunc(all, func(a, b File) int {
		return cmp.Or(m.distanceTo(a.Path)-m.distanceTo(b.Path), cmp.Compare(a.Path, b.Path))
	})
	whole := slices.IndexFunc(all, func(f File) bool { return m.distanceTo(f.Path) == onlyInPart })
	if whole > 0 {
		return all[:whole]
	}
	return all
}

// leadsThrough reports whether the sought path is below the given one.
func (m soughtName) leadsThrough(path string) bool {
	return strings.HasPrefix(m.folded, foldedPath(path)+"/")
}

// onlyInPart is the distance of a path in which the sought name begins or ends within a part.
const onlyInPart = 3

// distanceTo returns how far a path is from the sought name: 0 if they are equal.
func (m soughtName) distanceTo(path string) int {
	switch p := foldedPath(path); {
	case p == m.folded:
		return 0
	case strings.HasSuffix(p, "/"+m.folded):
		return 1
	case strings.Contains("/"+p+"/", "/"+m.folded+"/"), m.leadsThrough(path), m.isWhole:
		return 2
	}
	return onlyInPart
}
