package compare

import (
	"slices"

	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/internal/base/glob"
)

// Area is a part of one folder: what lies at or below Base and matches Glob.
type Area struct {
	Folder int
	Base   string     // "." is all of the folder
	Glob   *glob.Glob // nil: all
}

// Contains reports whether a path of the folder lies in the area.
func (a Area) Contains(p string) bool {
	return (a.Base == "." || glob.IsAtOrBelow(p, a.Base)) && a.Glob.Match(p)
}

// AllAreas is all of every folder.
func (c *Comparer) AllAreas() []Area {
	var areas []Area
	for i := range c.Folders {
		areas = append(areas, Area{Folder: i, Base: "."})
	}
	return areas
}

// WholeFolders is all of some folders.
func WholeFolders(folders []int) (areas []Area) {
	for _, i := range folders {
		areas = append(areas, Area{Folder: i, Base: "."})
	}
	return areas
}

// FoldersInWhole is the folders of which areas are all.
func FoldersInWhole(areas []Area) map[int]bool {
	whole := make(map[int]bool)
	for _, a := range areas {
		if a.Base == "." && a.Glob == nil {
			whole[a.Folder] = true
		}
	}
	return whole
}

// RecordCompared notes that folders were compared as a whole.
func (c *Comparer) RecordCompared(whole map[int]bool) {
	for i := range whole {
		c.Fresh.RecordCompared(i)
	}
}

// mostPatterns is how long the patterns of a scope may be together, in bytes:
// each file is compared with all.
const mostPatterns = 8 * glob.Longest

// mostPaths is how many paths a scope may name.
const mostPaths = 1000

// ParseAreas are those that paths mean, which are files, folders or globs as shown; none stand for
// everything. The error says which path is refused, and why.
func (c *Comparer) ParseAreas(paths []string) ([]Area, error) {
	if len(paths) == 0 {
		return c.AllAreas(), nil
	}
	if len(paths) > mostPaths {
		return nil, glob.Errorf("paths hold %d, at most %d: give a folder", len(paths), mostPaths)
	}
	var areas []Area
	patterns := 0
	for _, p := range paths {
		g, err := roots.ParsePath(p)
		if err != nil {
			return nil, err
		}
		text := ""
		if g != nil {
			text = g.Text
		}
		whole, inner := c.Folders.PossibleLocations(text)
		if len(whole)+len(inner) == 0 {
			return nil, roots.OutsideError(p)
		}
		var here []Area
		for _, at := range append(whole, inner...) {
			inner := (*glob.Glob)(nil)
			if at.Path != "." {
				inner = g.At(at.Path)
			}
			here = append(here, Area{at.Folder, c.areaBase(at.Folder, inner), inner})
		}
		for _, a := range here {
			if named := a.Glob.WithNamedBrackets(); named != nil {
				if a = (Area{a.Folder, c.areaBase(a.Folder, named), named}); c.isPresent(a) {
					here = append(here, a)
				}
			}
		}
		if g != nil && g.Fault != nil && !slices.ContainsFunc(here, c.isPresent) {
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

// isPresent reports whether there is a file or document at or below the base of an
// area.
func (c *Comparer) isPresent(a Area) bool {
	if _, ok := c.Folders[a.Folder].ListedSpelling(a.Base); ok {
		return true
	}
	return c.Store.AnySearchable(func(d *search.Document) bool { return d.Folder == a.Folder && glob.IsAtOrBelow(d.Path, a.Base) })
}

// areaBase is where an area begins, spelt as the folder does, or else the index: a
// scan takes a path letter by letter.
func (c *Comparer) areaBase(folder int, g *glob.Glob) string {
	base := g.Base()
	if listed, ok := c.Folders[folder].ListedSpelling(base); ok {
		return listed
	}
	if at, ok := c.Store.FindSpelling(search.Location{Folder: folder, Path: base}); ok {
		return at.Path
	}
	return base
}
