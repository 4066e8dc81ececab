package upkeep

import (
	"slices"

	"vademecum/index/glob"
	"vademecum/index/roots"
	"vademecum/index/search"
)

// Scope is what a Sync looks at.
type Scope struct {
	Paths []string // files, folders or globs as shown; empty: everything
	Force bool     // read files again even when they look unchanged
	Check bool     // look whether the texts of documents are there, too, and have those read again that are not

	// Replace has a library be that of its folder, whatever goes away by that: see
	// unlike.go.
	Replace bool
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
func (k *Keeper) everything() []area {
	var areas []area
	for i := range k.folders {
		areas = append(areas, area{folder: i, base: "."})
	}
	return areas
}

// wholeFolders is all of some folders.
func wholeFolders(folders []int) (areas []area) {
	for _, i := range folders {
		areas = append(areas, area{folder: i, base: "."})
	}
	return areas
}

// noteCompared notes that folders were compared as a whole.
func (k *Keeper) noteCompared(whole map[int]bool) {
	for i := range whole {
		k.fresh.Compared(i)
	}
}

// mostPatterns is how long the patterns of a scope may be together, in bytes:
// each file is compared with all.
const mostPatterns = 8 * glob.Longest

// mostPaths is how many paths a scope may name.
const mostPaths = 1000

// areas translates the paths of a scope.
func (k *Keeper) areas(paths []string) ([]area, error) {
	if len(paths) == 0 {
		return k.everything(), nil
	}
	if len(paths) > mostPaths {
		return nil, glob.Errorf("paths hold %d, at most %d: give a folder", len(paths), mostPaths)
	}
	var areas []area
	patterns := 0
	for _, p := range paths {
		g := glob.Parse(p)
		text := ""
		if g != nil {
			text = g.Text
		}
		whole, inner := k.folders.Places(text)
		if len(whole)+len(inner) == 0 {
			return nil, roots.Outside(p)
		}
		var here []area
		for _, at := range append(whole, inner...) {
			inner := (*glob.Glob)(nil)
			if at.Path != "." {
				inner = glob.Parse(at.Path)
			}
			here = append(here, area{at.Folder, k.base(at.Folder, inner), inner})
		}
		if g != nil && g.Fault != nil && !slices.ContainsFunc(here, k.isAnywhere) {
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
func (k *Keeper) isAnywhere(a area) bool {
	if _, ok := k.folders[a.folder].Listed(a.base); ok {
		return true
	}
	return k.store.Any(func(d *search.Document) bool { return d.Folder == a.folder && glob.IsAtOrBelow(d.Path, a.base) })
}

// base is where an area begins, spelt as the folder does, or else the index: a
// scan takes a path letter by letter.
func (k *Keeper) base(folder int, g *glob.Glob) string {
	base := g.Base()
	if listed, ok := k.folders[folder].Listed(base); ok {
		return listed
	}
	if at, ok := k.store.Alike(search.Location{Folder: folder, Path: base}); ok {
		return at.Path
	}
	return base
}
