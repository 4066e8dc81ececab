// Package glob decides by path which documents are meant: a path, a folder, or a
// pattern with wildcards, in whatever composition of characters. It knows paths
// only, touches no file, and takes time in proportion to pattern and path.
package glob

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Glob decides by path which documents are meant: `cardio/**`, `*.md` (in
// any folder), `cardio` or `cardio/` (all below), `cardio/a.md`. A path that there
// is means nothing else, see meant. What is no
// pattern is a path and nothing else: files may be called `a [draft.md`. nil
// means everything.
type Glob struct {
	Text     string     // without a "/" at its end
	wild     *wildcards // nil when it is a path and nothing else
	Fault    error      // why it is no pattern though it looks like one
	composed *Glob      // the same with composed characters, nil when it has no others
}

// ErrPath is matched by errors about patterns and paths that can mean nothing.
var ErrPath = errors.New("no such path")

// Longest is how long a pattern may be, in bytes: the time that it takes
// grows with it.
const Longest = 1000

// pathError says of a pattern or path what to give instead. It matches ErrPath.
type pathError struct{ error }

// Is tells that the error is about a path.
func (pathError) Is(target error) bool { return target == ErrPath }

// Unwrap returns what it says.
func (e pathError) Unwrap() error { return e.error }

// Errorf makes an error about a path.
func Errorf(format string, args ...any) error {
	return pathError{message.Errorf(format, args...)}
}

// Parse reads a pattern; "" admits everything.
func Parse(pattern string) *Glob {
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

// OfPath is what means a path, clean and with slashes, and nothing else.
func OfPath(p string) *Glob {
	g := &Glob{Text: p}
	if composed := norm.NFC.String(p); composed != p {
		g.composed = &Glob{Text: composed}
	}
	return g
}

// WithNamedBrackets is the pattern with the brackets and braces of names that have no star as they are,
// such as "[2024] notes/**"; nil where there are none.
func (g *Glob) WithNamedBrackets() *Glob {
	if g.IsPath() || strings.Contains(g.Text, `\`) {
		return nil
	}
	names := strings.Split(g.Text, "/")
	for i, name := range names {
		if !strings.ContainsAny(name, "*?") {
			names[i] = strings.NewReplacer("[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`).Replace(name)
		}
	}
	if text := strings.Join(names, "/"); text != g.Text {
		return newGlob(text)
	}
	return nil
}

// At is what means at another path what g does at its own.
func (g *Glob) At(p string) *Glob {
	if g.IsPath() {
		return OfPath(p)
	}
	return Parse(p)
}

func newGlob(text string) *Glob {
	g := &Glob{Text: text}
	switch {
	case !doublestar.ValidatePattern(text):
		g.Fault = Errorf("path pattern %s is not a valid glob, and nothing has that path: use * ** ? [a-z] {a,b}, and [[] or [{] for the character itself", present.QuoteName(text))
	case !strings.ContainsAny(text, `*?[{\`):
	case len(text) > Longest:
		g.Fault = Errorf("path pattern %s is too long for a glob (%d bytes, at most %d): give a folder, or ask more than once", present.QuoteName(text), len(text), Longest)
	default:
		g.wild = newWildcards(text)
	}
	return g
}

// Match tells whether the pattern means the path, whatever the composition of
// the characters in either.
func (g *Glob) Match(p string) bool { return g.inAnySpelling(p, (*Glob).MatchExactly) }

// MatchPathOrFolder is isPathOrAbove, whatever the composition of the characters in either.
func (g *Glob) MatchPathOrFolder(p string) bool { return g.inAnySpelling(p, (*Glob).isPathOrAbove) }

func (g *Glob) inAnySpelling(p string, match func(*Glob, string) bool) bool {
	if g == nil || match(g, p) {
		return true
	}
	composed, p2 := g, norm.NFC.String(p)
	if g.composed != nil {
		composed = g.composed
	}
	return (composed != g || p2 != p) && match(composed, p2)
}

// MatchExactly tells whether the pattern means the path as both are spelt.
func (g *Glob) MatchExactly(p string) bool {
	if g.isPathOrAbove(p) {
		return true
	}
	return g.matchesPath(p) || !strings.Contains(g.Text, "/") && g.matchesPath(path.Base(p))
}

// isPathOrAbove tells whether the pattern is the path, or that of a folder above it, as
// both are spelt.
func (g *Glob) isPathOrAbove(p string) bool { return g == nil || IsAtOrBelow(p, g.Text) }

func (g *Glob) matchesPath(name string) bool {
	if g.wild == nil {
		return g.Text == name
	}
	ok, _ := g.wild.match(name)
	return ok
}

// IsAtOrBelow tells whether a path is that of a folder or of something in it.
func IsAtOrBelow(p, folder string) bool {
	rest, ok := strings.CutPrefix(p, folder)
	return ok && (rest == "" || rest[0] == '/')
}

// InAnyFolder is what means the same in whatever folder, none for what says that already
// or begins at the root.
func (g *Glob) InAnyFolder() []*Glob {
	if strings.HasPrefix(g.Text, "**/") || strings.HasPrefix(g.Text, "/") || filepath.IsAbs(filepath.FromSlash(g.Text)) || g.Fault != nil {
		return nil
	}
	all := []*Glob{Parse("**/" + g.Text)}
	if g.IsPath() {
		all = append(all, Parse("**/"+g.Text+"/**"))
	}
	return all
}

// IsPath tells whether a pattern is a path and nothing else; nil is one.
func (g *Glob) IsPath() bool { return g == nil || g.wild == nil }

// Base is the file or folder that all meant paths lie at or below.
func (g *Glob) Base() string {
	if g == nil {
		return "."
	}
	if g.wild == nil {
		return path.Clean(g.Text)
	}
	if !strings.Contains(g.Text, "/") {
		return "."
	}
	base, _ := doublestar.SplitPattern(g.Text)
	return base
}
