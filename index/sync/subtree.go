package sync

import (
	"slices"

	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/internal/base/glob"
)

// Subtree is a part of one folder: the files at or below Base that match Glob.
type Subtree struct {
	Folder int
	Base   string     // "." for the whole folder
	Glob   *glob.Glob // nil matches all files
}

// contains reports whether the path p in the folder belongs to the subtree.
func (a Subtree) contains(p string) bool {
	return (a.Base == "." || glob.IsAtOrBelow(p, a.Base)) && a.Glob.Match(p)
}

// AllSubtrees returns a Subtree for each folder, which contains all of it.
func (s *Syncer) AllSubtrees() []Subtree {
	var areas []Subtree
	for i := range s.Folders {
		areas = append(areas, Subtree{Folder: i, Base: "."})
	}
	return areas
}

// foldersInWhole returns the folders that areas contain as a whole.
func foldersInWhole(areas []Subtree) map[int]bool {
	whole := make(map[int]bool)
	for _, a := range areas {
		if a.Base == "." && a.Glob == nil {
			whole[a.Folder] = true
		}
	}
	return whole
}

// mostPatterns is the maximum total length, in bytes, of the globs of a request: each file is
// matched against all of them.
const mostPatterns = 8 * glob.MaxPatternBytes

// mostPaths is the maximum number of paths in a request.
const mostPaths = 1000

// parseSubtrees parses paths, which are files, folders or globs as shown to users. No paths means all
// folders. The error names the rejected path and gives the reason.
func (s *Syncer) parseSubtrees(paths []string) ([]Subtree, error) {
	if len(paths) == 0 {
		return s.AllSubtrees(), nil
	}
	if len(paths) > mostPaths {
		return nil, glob.Errorf("paths has %d entries, at most %d are allowed: give a folder", len(paths), mostPaths)
	}
	var areas []Subtree
	patterns := 0
	for _, p := range paths {
		g, err := roots.ParsePathGlob(p)
		if err != nil {
			return nil, err
		}
		text := ""
		if g != nil {
			text = g.Pattern
		}
		whole, inner := s.Folders.PossibleLocations(text)
		if len(whole)+len(inner) == 0 {
			return nil, roots.OutsideFolderError(p)
		}
		var here []Subtree
		for _, at := range append(whole, inner...) {
			inner := (*glob.Glob)(nil)
			if at.Path != "." {
				inner = g.OfSameKind(at.Path)
			}
			here = append(here, Subtree{at.Folder, s.areaBase(at.Folder, inner), inner})
		}
		for _, a := range here {
			if named := a.Glob.WithLiteralBrackets(); named != nil {
				if a = (Subtree{a.Folder, s.areaBase(a.Folder, named), named}); s.isPresent(a) {
					here = append(here, a)
				}
			}
		}
		if g != nil && g.SyntaxError != nil && !slices.ContainsFunc(here, s.isPresent) {
			return nil, g.SyntaxError
		}
		if !g.IsPath() {
			patterns += len(text)
		}
		areas = append(areas, here...)
	}
	if patterns > mostPatterns {
		return nil, glob.Errorf("paths has %d bytes of globs, at most %d are allowed: give fewer, or a folder", patterns, mostPatterns)
	}
	return areas, nil
}

// isPresent reports whether there is a file or document at or below the base of an area.
func (s *Syncer) isPresent(a Subtree) bool {
	if _, ok := s.Folders[a.Folder].CanonicalPath(a.Base); ok {
		return true
	}
	return s.Store.AnySearchable(func(d *search.Document) bool { return d.Folder == a.Folder && glob.IsAtOrBelow(d.Path, a.Base) })
}

// areaBase returns the path in a folder at or below which a glob can match. It is spelled as on disk, or else
// as in the index, because a scan takes paths literally.
func (s *Syncer) areaBase(folder int, g *glob.Glob) string {
	base := g.BasePath()
	if listed, ok := s.Folders[folder].CanonicalPath(base); ok {
		return listed
	}
	if at, ok := s.Store.FindEquivalentLocation(search.Location{Folder: folder, Path: base}); ok {
		return at.Path
	}
	return base
}
