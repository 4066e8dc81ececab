// Package glob matches document paths against a path, a folder, or a pattern with
// wildcards, in any Unicode normalisation. It knows paths only, touches no file, and
// takes time in proportion to pattern and path.
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

// Glob matches document paths: `cardio/**`, `*.md` (in any folder), `cardio` or `cardio/`
// (everything below), `cardio/a.md`. A path that exists is never read as a pattern, and
// text that is no valid pattern is a path: files may be called `a [draft.md`. nil matches
// everything.
type Glob struct {
	Text     string     // without a trailing "/"
	wild     *wildcards // nil when it is a path and nothing else
	Fault    error      // why it is no pattern though it looks like one
	composed *Glob      // the same with composed characters, nil when it has no others
}

// ErrPath is matched by errors about patterns and paths that can match nothing.
var ErrPath = errors.New("no such path")

// Longest is the maximum length of a pattern in bytes: the time to match grows with it.
const Longest = 1000

// pathError is an error about a pattern or path, with a hint what to give instead. It
// matches ErrPath.
type pathError struct{ error }

// Is reports whether target is ErrPath.
func (pathError) Is(target error) bool { return target == ErrPath }

// Unwrap returns the error itself.
func (e pathError) Unwrap() error { return e.error }

// Errorf returns an error about a path, which matches ErrPath.
func Errorf(format string, args ...any) error {
	return pathError{message.Errorf(format, args...)}
}

// Parse parses a pattern; "" matches everything.
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

// OfPath returns a Glob that matches a path, clean and with slashes, and nothing else.
func OfPath(p string) *Glob {
	g := &Glob{Text: p}
	if composed := norm.NFC.String(p); composed != p {
		g.composed = &Glob{Text: composed}
	}
	return g
}

// WithNamedBrackets returns the pattern with literal brackets and braces in those names that have
// no star, such as "[2024] notes/**"; nil where there are none.
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

// At returns the Glob with another path.
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

// Match reports whether the pattern matches the path, in any Unicode normalisation of
// either.
func (g *Glob) Match(p string) bool { return g.inAnySpelling(p, (*Glob).MatchExactly) }

// MatchPathOrFolder is isPathOrAbove in any Unicode normalisation of either.
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

// MatchExactly reports whether the pattern matches the path as both are spelt.
func (g *Glob) MatchExactly(p string) bool {
	if g.isPathOrAbove(p) {
		return true
	}
	return g.matchesPath(p) || !strings.Contains(g.Text, "/") && g.matchesPath(path.Base(p))
}

// isPathOrAbove reports whether the pattern is the path or a folder above it, as both are
// spelt.
func (g *Glob) isPathOrAbove(p string) bool { return g == nil || IsAtOrBelow(p, g.Text) }

func (g *Glob) matchesPath(name string) bool {
	if g.wild == nil {
		return g.Text == name
	}
	ok, _ := g.wild.match(name)
	return ok
}

// IsAtOrBelow reports whether a path is a folder or something in it.
func IsAtOrBelow(p, folder string) bool {
	rest, ok := strings.CutPrefix(p, folder)
	return ok && (rest == "" || rest[0] == '/')
}

// InAnyFolder returns the patterns that match the same in any folder, none for a pattern
// that does so already or begins at the root.
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

// IsPath reports whether a pattern is a path without wildcards; nil is one.
func (g *Glob) IsPath() bool { return g == nil || g.wild == nil }

// Base returns the file or folder at or below which all matches are.
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
