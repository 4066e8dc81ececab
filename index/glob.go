package index

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"

	"vademecum/internal/present"
)

// pathGlob decides by path which documents are meant: `cardio/**`, `*.md` (in
// any folder), `cardio` or `cardio/` (all below), `cardio/a.md`.
type pathGlob string

// parseGlob checks the pattern; "" admits everything.
func parseGlob(pattern string) (pathGlob, error) {
	pattern = strings.TrimPrefix(filepath.ToSlash(pattern), "./")
	if !doublestar.ValidatePattern(pattern) {
		return "", fmt.Errorf("path pattern %s is not a valid glob: use * ** ? [a-z] {a,b}", present.Name(pattern))
	}
	return pathGlob(strings.TrimSuffix(pattern, "/")), nil
}

// match tells whether the pattern means the path, whatever the composition of
// the characters in either.
func (g pathGlob) match(p string) bool {
	if g.matchExactly(p) {
		return true
	}
	composed, p2 := pathGlob(norm.NFC.String(string(g))), norm.NFC.String(p)
	return (composed != g || p2 != p) && composed.matchExactly(p2)
}

// matchExactly tells whether the pattern means the path as both are spelt.
func (g pathGlob) matchExactly(p string) bool {
	if g == "" || string(g) == p || strings.HasPrefix(p, string(g)+"/") {
		return true
	}
	if !strings.Contains(string(g), "/") && doublestar.MatchUnvalidated(string(g), path.Base(p)) {
		return true
	}
	return doublestar.MatchUnvalidated(string(g), p)
}

// base is the file or folder that all meant paths lie at or below.
func (g pathGlob) base() string {
	if !strings.ContainsAny(string(g), "*?[{\\") {
		return path.Clean(string(g))
	}
	if !strings.Contains(string(g), "/") {
		return "."
	}
	base, _ := doublestar.SplitPattern(string(g))
	return base
}
