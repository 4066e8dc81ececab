package index

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"

	"vademecum/internal/present"
)

// pathGlob decides by path which documents are meant: `cardio/**`, `*.md` (in
// any folder), `cardio` or `cardio/` (all below), `cardio/a.md`. A path that there
// is means nothing else, see meant. What is no
// pattern is a path and nothing else: files may be called `a [draft.md`. nil
// means everything.
type pathGlob struct {
	text     string     // without a "/" at its end
	wild     *wildcards // nil when it is a path and nothing else
	fault    error      // why it is no pattern though it looks like one
	composed *pathGlob  // the same with composed characters, nil when it has no others
}

// ErrPath is matched by errors about patterns and paths that can mean nothing.
var ErrPath = errors.New("no such path")

// longestGlob is how long a pattern may be, in bytes: the time that it takes
// grows with it.
const longestGlob = 1000

// pathError says of a pattern or path what to give instead.
type pathError struct{ error }

func (pathError) Is(target error) bool { return target == ErrPath }

// parseGlob reads a pattern; "" admits everything.
func parseGlob(pattern string) *pathGlob {
	text := path.Clean(filepath.ToSlash(pattern))
	if text == "." {
		return nil
	}
	g := newGlob(text)
	if composed := norm.NFC.String(text); composed != text {
		g.composed = newGlob(composed)
	}
	return g
}

func newGlob(text string) *pathGlob {
	g := &pathGlob{text: text}
	switch {
	case !doublestar.ValidatePattern(text):
		g.fault = pathError{fmt.Errorf("path pattern %s is not a valid glob, and nothing has that path: use * ** ? [a-z] {a,b}, and [[] or [{] for the character itself", present.Name(text))}
	case !strings.ContainsAny(text, `*?[{\`):
	case len(text) > longestGlob:
		g.fault = pathError{fmt.Errorf("path pattern %s is too long for a glob (%d bytes, at most %d): give a folder, or ask more than once", present.Name(text), len(text), longestGlob)}
	default:
		g.wild = newWildcards(text)
	}
	return g
}

// match tells whether the pattern means the path, whatever the composition of
// the characters in either.
func (g *pathGlob) match(p string) bool { return g.inAnySpelling(p, (*pathGlob).matchExactly) }

// matchName is names, whatever the composition of the characters in either.
func (g *pathGlob) matchName(p string) bool { return g.inAnySpelling(p, (*pathGlob).names) }

func (g *pathGlob) inAnySpelling(p string, match func(*pathGlob, string) bool) bool {
	if g == nil || match(g, p) {
		return true
	}
	composed, p2 := g, norm.NFC.String(p)
	if g.composed != nil {
		composed = g.composed
	}
	return (composed != g || p2 != p) && match(composed, p2)
}

// matchExactly tells whether the pattern means the path as both are spelt.
func (g *pathGlob) matchExactly(p string) bool {
	if g.names(p) {
		return true
	}
	return g.means(p) || !strings.Contains(g.text, "/") && g.means(path.Base(p))
}

// names tells whether the pattern is the path, or that of a folder above it, as
// both are spelt.
func (g *pathGlob) names(p string) bool { return g == nil || isAtOrBelow(p, g.text) }

func (g *pathGlob) means(name string) bool {
	if g.wild == nil {
		return g.text == name
	}
	ok, _ := g.wild.match(name)
	return ok
}

func isAtOrBelow(p, folder string) bool {
	rest, ok := strings.CutPrefix(p, folder)
	return ok && (rest == "" || rest[0] == '/')
}

// base is the file or folder that all meant paths lie at or below.
func (g *pathGlob) base() string {
	if g == nil {
		return "."
	}
	if g.wild == nil {
		return path.Clean(g.text)
	}
	if !strings.Contains(g.text, "/") {
		return "."
	}
	base, _ := doublestar.SplitPattern(g.text)
	return base
}
