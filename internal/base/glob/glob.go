// Package glob matches document paths against a path, a folder, or a pattern with wildcards, in any
// Unicode normalisation. It works on paths only and touches no files. Its time is proportional to
// the lengths of pattern and path.
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
// (everything below), `cardio/a.md`. A path that exists is never interpreted as a pattern, and text
// that is not a valid pattern is a path, as files may be called `a [draft.md`. nil matches
// everything.
type Glob struct {
	Pattern     string     // without a trailing "/"
	wild        *wildcards // nil for a plain path
	SyntaxError error      // why it is not a valid pattern although it looks like one
	composed    *Glob      // the same with composed characters (NFC); nil if it is composed already
}

// ErrInvalidPath is matched by errors about patterns and paths that can match nothing.
var ErrInvalidPath = errors.New("no such path")

// MaxPatternBytes is the maximum length of a pattern in bytes, as the time to match is proportional to it.
const MaxPatternBytes = 1000

// pathError is an error about a pattern or path; its text suggests what to give instead. It matches
// ErrInvalidPath.
type pathError struct{ error }

// Is reports whether target is ErrInvalidPath.
func (pathError) Is(target error) bool { return target == ErrInvalidPath }

// Unwrap returns the underlying error.
func (e pathError) Unwrap() error { return e.error }

// Errorf returns an error about a path, which matches ErrInvalidPath.
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

// FromPath returns a Glob that matches only a path, which must be clean and have slashes.
func FromPath(p string) *Glob {
	g := &Glob{Pattern: p}
	if composed := norm.NFC.String(p); composed != p {
		g.composed = &Glob{Pattern: composed}
	}
	return g
}

// WithLiteralBrackets returns the pattern with literal brackets and braces in names without
// wildcards, such as "[2024] notes/**"; nil if there are none.
func (g *Glob) WithLiteralBrackets() *Glob {
	if g.IsPath() || strings.Contains(g.Pattern, `\`) {
		return nil
	}
	names := strings.Split(g.Pattern, "/")
	for i, name := range names {
		if !strings.ContainsAny(name, "*?") {
			names[i] = strings.NewReplacer("[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`).Replace(name)
		}
	}
	if text := strings.Join(names, "/"); text != g.Pattern {
		return newGlob(text)
	}
	return nil
}

// OfSameKind returns a Glob of the same kind as g for another path or pattern: that of FromPath if g
// matches only one path, otherwise that of Parse.
func (g *Glob) OfSameKind(pathOrPattern string) *Glob {
	if g.IsPath() {
		return FromPath(pathOrPattern)
	}
	return Parse(pathOrPattern)
}

func newGlob(text string) *Glob {
	g := &Glob{Pattern: text}
	switch {
	case !doublestar.ValidatePattern(text):
		g.SyntaxError = Errorf("path pattern %s is not a valid glob, and nothing has that path: use * ** ? [a-z] {a,b}, and [[] or [{] for the character itself", present.QuoteName(text))
	case !strings.ContainsAny(text, `*?[{\`):
	case len(text) > MaxPatternBytes:
		g.SyntaxError = Errorf("path pattern %s is too long for a glob (%d bytes, at most %d): give a folder, or ask more than once", present.QuoteName(text), len(text), MaxPatternBytes)
	default:
		g.wild = newWildcards(text)
	}
	return g
}

// Match reports whether the pattern matches the path, in any Unicode normalisation of either.
func (g *Glob) Match(p string) bool { return g.inAnySpelling(p, (*Glob).MatchUnnormalised) }

// IsPathOrFolderAbove reports whether the pattern is the path or a folder above it, in any Unicode
// normalisation of either.
func (g *Glob) IsPathOrFolderAbove(p string) bool { return g.inAnySpelling(p, (*Glob).isPathOrAbove) }

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

// MatchUnnormalised reports whether the pattern matches the path, without Unicode normalisation.
func (g *Glob) MatchUnnormalised(p string) bool {
	if g.isPathOrAbove(p) {
		return true
	}
	return g.matchesPath(p) || !strings.Contains(g.Pattern, "/") && g.matchesPath(path.Base(p))
}

// isPathOrAbove reports whether the pattern is the path or a folder above it, without Unicode
// normalisation.
func (g *Glob) isPathOrAbove(p string) bool { return g == nil || IsAtOrBelow(p, g.Pattern) }

func (g *Glob) matchesPath(name string) bool {
	if g.wild == nil {
		return g.Pattern == name
	}
	ok, _ := g.wild.match(name)
	return ok
}

// IsAtOrBelow reports whether a path is a folder or inside of it.
func IsAtOrBelow(p, folder string) bool {
	rest, ok := strings.CutPrefix(p, folder)
	return ok && (rest == "" || rest[0] == '/')
}

// InAnyFolder returns the patterns that match the same names in any folder; nil for a pattern that
// does so already or begins at the root.
func (g *Glob) InAnyFolder() []*Glob {
	if strings.HasPrefix(g.Pattern, "**/") || strings.HasPrefix(g.Pattern, "/") || filepath.IsAbs(filepath.FromSlash(g.Pattern)) || g.SyntaxError != nil {
		return nil
	}
	all := []*Glob{Parse("**/" + g.Pattern)}
	if g.IsPath() {
		all = append(all, Parse("**/"+g.Pattern+"/**"))
	}
	return all
}

// IsPath reports whether the Glob is a path without wildcards. A nil Glob is one.
func (g *Glob) IsPath() bool { return g == nil || g.wild == nil }

// BasePath returns the file or folder that contains all matches.
func (g *Glob) BasePath() string {
	if g == nil {
		return "."
	}
	if g.wild == nil {
		return path.Clean(g.Pattern)
	}
	if !strings.Contains(g.Pattern, "/") {
		return "."
	}
	base, _ := doublestar.SplitPattern(g.Pattern)
	return base
}
