package ignore

import (
	"strings"
	"testing"
)

// TestPatterns: what git 2.39 leaves out is left out.
func TestPatterns(t *testing.T) {
	for _, tt := range []struct {
		patterns, path string
		isDir, want    bool
	}{
		{"docs/**\n!docs/keep.md", "docs", true, false},
		{"docs/**\n!docs/keep.md", "docs/keep.md", false, false},
		{"docs/**\n!docs/keep.md", "docs/b.md", false, true},
		{"*.md\n!docs/", "docs/a.md", false, true},
		{"*.md\n!docs/", "docs", true, false},
		{"drafts/\n!*/", "drafts", true, false},
		{"drafts/\n!*/", "drafts/d.md", false, false},
		{"/a", "b/a", false, false},
		{"a/b", "x/a/b", false, false},
		{"**/a/b", "x/a/b", false, true},
		{"a/**/b", "a/b", false, true},
		{"a/**/b", "a/x/y/b", false, true},
		{"a/*", "a/x/y", false, false},
		{"a**b", "a/b", false, false},
		{"x\\ ", "x ", false, true},
		{"x ", "x", false, true},
		{"x\r\n", "x", false, true},
		{"\\#a", "#a", false, true},
		{"#a", "#a", false, false},
		{"\\!a", "!a", false, true},
		{"[!a]", "b", false, true},
		{"[]a]", "]", false, true},
		{"[a", "[a", false, false},
		{"[[:digit:]x-z]", "y", false, true},
		{"[[:nope:]]", "n", false, false},
		{"?", "é", false, false}, // which has two bytes
		{"a\\", "a", false, false},
		{"a/", "a", false, false},
		{"!", "a", false, false},
		{"/", "a", true, false},
	} {
		set := (*RuleSet)(nil).ForSubdir(".", []IgnoreFile{{".gitignore", tt.patterns}})
		if got := set.Excludes(tt.path, tt.isDir, nil); got != tt.want {
			t.Errorf("%q of %s: %t", tt.patterns, tt.path, got)
		}
	}
}

// TestHostilePatterns: stars take no time that grows with their number.
func TestHostilePatterns(t *testing.T) {
	for _, p := range []string{strings.Repeat("**/", 10_000) + "x", strings.Repeat("**/a/", 1000) + "x", strings.Repeat("*a", 1000) + "x", "/" + strings.Repeat("*a", 1000) + "x", strings.Repeat("a/*", 1000) + "x", strings.Repeat("[", 10_000), strings.Repeat("[[:", 10_000)} {
		if _, ok := lastMatch(parsePatterns(p), strings.Repeat("a/", 1000)+strings.Repeat("a", 200), false); ok {
			t.Errorf("%.20s means a path", p)
		}
	}
}

// FuzzPatterns: whatever a pattern is, it is matched, and says the same of a path twice.
func FuzzPatterns(f *testing.F) {
	f.Add("a/**/[!b-d]*.md\n!x", "a/b/c.md")
	f.Fuzz(func(t *testing.T, text, path string) {
		if path == "" || len(text)+len(path) > 500 {
			return
		}
		all := parsePatterns(text)
		p, ok := lastMatch(all, path, false)
		if again, same := lastMatch(all, path, false); again != p || same != ok {
			t.Errorf("%q of %q: %v, then %v", text, path, p, again)
		}
	})
}
