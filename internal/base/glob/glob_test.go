package glob

import (
	"errors"
	"strings"
	"testing"
)

// TestGlobs: which paths a pattern means, where they all lie, and whether it is a path.
func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		pattern  string
		base     string
		isPath   bool
		yes, not []string
	}{
		{"", ".", true, []string{"a.md", "b/a.md"}, nil},
		{"./", ".", true, []string{"a.md"}, nil},
		{"cardio", "cardio", true, []string{"cardio", "cardio/a.md", "cardio/b/a.md", "b/cardio"}, []string{"cardiology/a.md", "b/cardio/a.md"}},
		{"cardio/", "cardio", true, []string{"cardio/a.md"}, []string{"cardio.md"}},
		{"cardio/a.md", "cardio/a.md", true, []string{"cardio/a.md"}, []string{"a.md", "b/cardio/a.md"}},
		{"*.md", ".", false, []string{"a.md", "b/a.md"}, []string{"a.txt", "a.md.txt"}},
		{"cardio/**", "cardio", false, []string{"cardio/a.md", "cardio/b/a.md"}, []string{"b/cardio/a.md"}},
		{"cardio/*.md", "cardio", false, []string{"cardio/a.md"}, []string{"cardio/b/a.md", "a.md"}},
		{"café.md", "café.md", true, []string{"café.md", "cafe\u0301.md"}, []string{"cafe.md"}},
		{"cafe\u0301*", ".", false, []string{"café.md", "cafe\u0301.md"}, []string{"cafe.md"}},
		{"a [draft.md", "a [draft.md", true, []string{"a [draft.md", "b/a [draft.md"}, []string{"a d.md"}},
	} {
		g := Parse(c.pattern)
		if g.BasePath() != c.base || g.IsPath() != c.isPath {
			t.Errorf("%q lies in %q, is a path: %v", c.pattern, g.BasePath(), g.IsPath())
		}
		for _, p := range c.yes {
			if !g.Match(p) {
				t.Errorf("%q does not mean %q", c.pattern, p)
			}
		}
		for _, p := range c.not {
			if g.Match(p) {
				t.Errorf("%q means %q", c.pattern, p)
			}
		}
	}
}

// TestNames: a pattern that is the path of a document or of a folder above it names that,
// by whatever composition.
func TestNames(t *testing.T) {
	for p, want := range map[string]bool{"a*/b.md": true, "a*": true, "ab/b.md": false} {
		if got := Parse("a*").IsPathOrFolderAbove(p); got != want {
			t.Errorf("it names %q: %v", p, got)
		}
	}
	if !Parse("é").IsPathOrFolderAbove("e\u0301/a.md") || Parse("é").MatchUnnormalised("e\u0301/a.md") {
		t.Error("the composition of a name is not left out of account, or is of a spelling")
	}
}

// TestFaults: what is no pattern says so, and is a path.
func TestFaults(t *testing.T) {
	for pattern, want := range map[string]string{
		"a [draft.md": "is not a valid glob",
		"*" + strings.Repeat("x", MaxPatternBytes): "is too long for a glob (1001 bytes, at most 1000)",
	} {
		g := Parse(pattern)
		if g.SyntaxError == nil || !errors.Is(g.SyntaxError, ErrInvalidPath) || !strings.Contains(g.SyntaxError.Error(), want) || !g.Match(pattern) || !g.IsPath() {
			t.Errorf("%.20s: %v", pattern, g.SyntaxError)
		}
	}
	if g := Parse(strings.Repeat("x", 2*MaxPatternBytes)); g.SyntaxError != nil {
		t.Errorf("a long path: %v", g.SyntaxError)
	}
}
