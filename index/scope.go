package index

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"vademecum/index/glob"
	"vademecum/index/search"
	"vademecum/internal/present"
)

// Scope is what a Sync looks at.
type Scope struct {
	Paths []string // files, folders or globs as shown; empty: everything
	Force bool     // read files again even when they look unchanged
}

// area is a part of one folder: what lies at or below base and matches glob.
type area struct {
	folder int
	base   string
	glob   *glob.Glob // nil: all
}

func (a area) holds(p string) bool {
	return (a.base == "." || glob.IsAtOrBelow(p, a.base)) && a.glob.Match(p)
}

// everything is all of every folder.
func (ix *Index) everything() []area {
	var areas []area
	for i := range ix.folders {
		areas = append(areas, area{folder: i, base: "."})
	}
	return areas
}

// mostPatterns is how long the patterns of a scope may be together, in bytes:
// each file is compared with all.
const mostPatterns = 8 * glob.Longest

// areas translates the paths of a scope.
func (ix *Index) areas(paths []string) ([]area, error) {
	if len(paths) == 0 {
		return ix.everything(), nil
	}
	var areas []area
	patterns := 0
	for _, p := range paths {
		g := glob.Parse(p)
		text := ""
		if g != nil {
			text = g.Text
		}
		places := ix.places(text)
		if len(places) == 0 {
			return nil, outside(p)
		}
		var here []area
		for _, at := range places {
			inner := (*glob.Glob)(nil)
			if at.Path != "." {
				inner = glob.Parse(at.Path)
			}
			here = append(here, area{at.Folder, ix.base(at.Folder, inner), inner})
		}
		if g != nil && g.Fault != nil && !slices.ContainsFunc(here, ix.isAnywhere) {
			return nil, g.Fault
		}
		if !g.IsPath() {
			patterns += len(text)
		}
		areas = append(areas, here...)
	}
	if patterns > mostPatterns {
		return nil, glob.Errorf("paths hold %d bytes of globs, at most %d: give fewer, or a folder", patterns, mostPatterns)
	}
	return areas, nil
}

// isAnywhere tells whether there is a file or document at or below the base of an
// area.
func (ix *Index) isAnywhere(a area) bool {
	if _, ok := ix.folders[a.folder].Listed(a.base); ok {
		return true
	}
	return ix.store.Any(func(d *search.Document) bool { return d.Folder == a.folder && glob.IsAtOrBelow(d.Path, a.base) })
}

// base is where an area begins, spelt as the folder does, or else the index: a
// scan takes a path letter by letter.
func (ix *Index) base(folder int, g *glob.Glob) string {
	base := g.Base()
	if listed, ok := ix.folders[folder].Listed(base); ok {
		return listed
	}
	if at, ok := ix.store.Alike(search.Location{Folder: folder, Path: base}); ok {
		return at.Path
	}
	return base
}

// places lists what a path, as shown, in a folder or absolute, may mean,
// likeliest first. It is empty when the path leads out of the folders.
func (ix *Index) places(p string) []search.Location {
	if filepath.IsAbs(p) {
		return ix.placesOfAbsolute(p)
	}
	clean := path.Clean(filepath.ToSlash(p))
	if !filepath.IsLocal(filepath.FromSlash(clean)) {
		return nil
	}
	var named, plain []search.Location
	for i, f := range ix.folders {
		switch inner, ok := cutAlike(clean+"/", f.prefix); {
		case f.prefix == "" || !ok:
		case inner == "":
			named = append(named, search.Location{Folder: i, Path: "."})
		default:
			named = append(named, search.Location{Folder: i, Path: strings.TrimSuffix(inner, "/")})
		}
		plain = append(plain, search.Location{Folder: i, Path: clean})
	}
	return append(named, plain...)
}

// cutAlike cuts a prefix off, in whatever composition of its characters.
func cutAlike(p, prefix string) (rest string, ok bool) {
	if rest, ok := strings.CutPrefix(p, prefix); ok {
		return rest, true
	}
	return strings.CutPrefix(norm.NFC.String(p), norm.NFC.String(prefix))
}

// placesOfAbsolute lists what an absolute path may mean, by whatever spelling of
// the folders.
func (ix *Index) placesOfAbsolute(p string) []search.Location {
	var places []search.Location
	for i, f := range ix.folders {
		if rel, ok := f.Rel(p); ok {
			places = append(places, search.Location{Folder: i, Path: rel})
		}
	}
	return places
}

func outside(p string) error {
	return glob.Errorf("path %s leads out of the folder: give a path as list_docs shows it", present.Name(p))
}
