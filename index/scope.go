package index

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

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
	glob   *pathGlob // nil: all
}

func (a area) holds(p string) bool {
	return (a.base == "." || isAtOrBelow(p, a.base)) && a.glob.match(p)
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
const mostPatterns = 8 * longestGlob

// areas translates the paths of a scope.
func (ix *Index) areas(paths []string) ([]area, error) {
	if len(paths) == 0 {
		return ix.everything(), nil
	}
	var areas []area
	patterns := 0
	for _, p := range paths {
		glob := parseGlob(p)
		text := ""
		if glob != nil {
			text = glob.text
		}
		places := ix.places(text)
		if len(places) == 0 {
			return nil, outside(p)
		}
		var here []area
		for _, at := range places {
			inner := (*pathGlob)(nil)
			if at.path != "." {
				inner = parseGlob(at.path)
			}
			here = append(here, area{at.folder, ix.base(at.folder, inner), inner})
		}
		if glob != nil && glob.fault != nil && !slices.ContainsFunc(here, ix.isAnywhere) {
			return nil, glob.fault
		}
		if glob != nil && glob.wild != nil {
			patterns += len(text)
		}
		areas = append(areas, here...)
	}
	if patterns > mostPatterns {
		return nil, pathError{fmt.Errorf("paths hold %d bytes of globs, at most %d: give fewer, or a folder", patterns, mostPatterns)}
	}
	return areas, nil
}

// isAnywhere tells whether there is a file or document at or below the base of an
// area.
func (ix *Index) isAnywhere(a area) bool {
	if _, ok := ix.folders[a.folder].Listed(a.base); ok {
		return true
	}
	return ix.store.any(func(d *document) bool { return d.folder == a.folder && isAtOrBelow(d.path, a.base) })
}

// base is where an area begins, spelt as the folder does, or else the index: a
// scan takes a path letter by letter.
func (ix *Index) base(folder int, glob *pathGlob) string {
	base := glob.base()
	if listed, ok := ix.folders[folder].Listed(base); ok {
		return listed
	}
	if at, ok := ix.store.alike(location{folder, base}); ok {
		return at.path
	}
	return base
}

// places lists what a path, as shown, in a folder or absolute, may mean,
// likeliest first. It is empty when the path leads out of the folders.
func (ix *Index) places(p string) []location {
	if filepath.IsAbs(p) {
		return ix.placesOfAbsolute(p)
	}
	clean := path.Clean(filepath.ToSlash(p))
	if !filepath.IsLocal(filepath.FromSlash(clean)) {
		return nil
	}
	var named, plain []location
	for i, f := range ix.folders {
		switch inner, ok := cutAlike(clean+"/", f.prefix); {
		case f.prefix == "" || !ok:
		case inner == "":
			named = append(named, location{i, "."})
		default:
			named = append(named, location{i, strings.TrimSuffix(inner, "/")})
		}
		plain = append(plain, location{i, clean})
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
func (ix *Index) placesOfAbsolute(p string) []location {
	var places []location
	for i, f := range ix.folders {
		if rel, ok := f.Rel(p); ok {
			places = append(places, location{i, rel})
		}
	}
	return places
}

func outside(p string) error {
	return pathError{fmt.Errorf("path %s leads out of the folder: give a path as list_docs shows it", present.Name(p))}
}
