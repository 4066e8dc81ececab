package glob

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// expanded lists the patterns without braces that one with braces stands for,
// at most so many.
func expanded(pattern string, most int) []string {
	var open, depth int
	var alternatives []string
	start := 0
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case c == '[':
			i += classEnd(pattern[i:]) - 1
		case c == '{':
			if depth++; depth == 1 {
				open, start = i, i+1
			}
		case c == ',' && depth == 1:
			alternatives = append(alternatives, pattern[start:i])
			start = i + 1
		case c == '}' && depth > 0:
			if depth--; depth > 0 {
				continue
			}
			var all []string
			for _, a := range append(alternatives, pattern[start:i]) {
				if len(all) < most {
					all = append(all, expanded(pattern[:open]+a+pattern[i+1:], most-len(all))...)
				}
			}
			return all
		}
	}
	return []string{pattern}
}

// compareGlob holds a pattern against doublestar: what that finds is found, and
// what is found it finds for one of the patterns that the braces stand for.
func compareGlob(t *testing.T, pattern, name string) {
	t.Helper()
	got, steps := newWildcards(pattern).match(name)
	if most := 16 * (len(pattern) + 1) * (len(name) + 1); steps > most {
		t.Errorf("%q on %q takes %d steps, more than %d", pattern, name, steps, most)
	}
	const few = 64
	all := expanded(pattern, few)
	if len(all) >= few {
		return
	}
	if !got && doublestar.MatchUnvalidated(pattern, name) {
		t.Errorf("%q does not mean %q", pattern, name)
	}
	isOdd := func(p string) bool {
		return strings.Contains(p, "***") || strings.HasSuffix(p, "/") || strings.HasSuffix(p, "*/**")
	}
	if name == "" || strings.Contains(pattern, "[") && strings.Contains(name, "/") || slices.ContainsFunc(all, isOdd) {
		return // there doublestar misses some
	}
	if got && !slices.ContainsFunc(all, func(p string) bool { return doublestar.MatchUnvalidated(p, name) }) {
		t.Errorf("%q means %q", pattern, name)
	}
}

// TestWildcards: patterns mean what they do to doublestar.
func TestWildcards(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	draw := func(most int, from ...string) string {
		var out strings.Builder
		for range random.IntN(most + 1) {
			out.WriteString(from[random.IntN(len(from))])
		}
		return out.String()
	}
	meant := 0
	for range 300_000 {
		pattern := draw(9, "a", "b", "/", "*", "**", "**/", "?", "{", ",", "}", "[ab]", "[!a]", "[a-c]", "[c-a]", "[b-c-a]", `\*`, "é")
		if !doublestar.ValidatePattern(pattern) {
			continue
		}
		name := draw(7, "a", "b", "/", "c", "*", "é", ",")
		compareGlob(t, pattern, name)
		if doublestar.MatchUnvalidated(pattern, name) {
			meant++
		}
	}
	if meant < 1000 {
		t.Errorf("only %d names were meant", meant)
	}
}

// FuzzGlob counts the steps of any pattern, and compares what it means.
func FuzzGlob(f *testing.F) {
	f.Add(strings.Repeat("{**/,}", 25)+"zz", "a/b/c/d/e/f.md")
	f.Add(strings.Repeat("{a,", 500)+strings.Repeat("}", 500), "aaaa")
	f.Add("**/*[!a-c]/{x,y*}/**", "a/d/x/e")
	f.Add(`a\[{[}],},/}**`, "a[}/b")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		if len(pattern) > MaxPatternBytes || len(name) > MaxPatternBytes || !doublestar.ValidatePattern(pattern) {
			return
		}
		if strings.Count(pattern, "{")+strings.Count(pattern, "**") > 12 {
			_, steps := newWildcards(pattern).match(name)
			if most := 16 * (len(pattern) + 1) * (len(name) + 1); steps > most {
				t.Errorf("%q on %q takes %d steps, more than %d", pattern, name, steps, most)
			}
			return // doublestar would take for ever
		}
		if !utf8.ValidString(pattern) || !utf8.ValidString(name) {
			return // no document is called so, and doublestar compares single bytes
		}
		compareGlob(t, pattern, name)
	})
}
