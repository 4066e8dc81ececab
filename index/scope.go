package index

import (
	"fmt"
	"path"
	"path/filepath"
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
	glob   pathGlob
}

func (a area) holds(p string) bool {
	return (a.base == "." || p == a.base || strings.HasPrefix(p, a.base+"/")) && a.glob.match(p)
}

// everything is all of every folder.
func (ix *Index) everything() []area {
	var areas []area
	for i := range ix.folders {
		areas = append(areas, area{folder: i, base: "."})
	}
	return areas
}

// areas translates the paths of a scope.
func (ix *Index) areas(paths []string) ([]area, error) {
	if len(paths) == 0 {
		return ix.everything(), nil
	}
	var areas []area
	for _, p := range paths {
		glob, err := parseGlob(p)
		if err != nil {
			return nil, err
		}
		places := ix.places(string(glob))
		if len(places) == 0 {
			return nil, outside(p)
		}
		for _, at := range places {
			inner := pathGlob(at.path)
			if inner == "." {
				inner = ""
			}
			areas = append(areas, area{at.folder, ix.base(at.folder, inner), inner})
		}
	}
	return areas, nil
}

// base is where an area begins, spelt as the folder does, or else the index: a
// scan takes a path letter by letter.
func (ix *Index) base(folder int, glob pathGlob) string {
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
	return fmt.Errorf("path %s leads out of the folder: give a path as list_docs shows it", present.Name(p))
}
