package ignore

import (
	"strings"
	"testing"
)

func TestExcludes(t *testing.T) {
	var byName *RuleSet
	root := byName.ForSubdir(".", []IgnoreFile{{".gitignore", "\uFEFF/out/\n*.log"}, {".vademecumignore", "!keep.log\n"}})
	in := root.ForSubdir("a", []IgnoreFile{{}, {".vademecumignore", "!*.log\n/b/\n"}})
	if root.ForSubdir("a", []IgnoreFile{{}}) != root {
		t.Error("an empty file makes another set")
	}
	for _, tt := range []struct {
		set   *RuleSet
		p     string
		isDir bool
		want  bool
	}{
		{byName, "a.md", false, false}, {byName, "x/.git", true, true}, {byName, "node_modules", true, true}, {byName, "node_modules", false, false},
		{byName, "~$a.docx", false, true}, {byName, "#a#", false, true}, {byName, "#", false, false}, {byName, "A.TMP", false, true},
		{root, "out", true, true}, {root, "out", false, false}, {root, "a/out", true, false}, {root, "x.log", false, true}, {root, "keep.log", false, false},
		{in, "a/x.log", false, false}, {in, "a/b", true, true}, {in, "a/c/b", true, false}, {in, "a/.x", false, true},
	} {
		if got := tt.set.Excludes(tt.p, tt.isDir, nil); got != tt.want {
			t.Errorf("%s: %v", tt.p, got)
		}
	}
}

// TestRule: of what is left out it is told by which rule, and where that stands.
func TestRule(t *testing.T) {
	var byName *RuleSet
	top := byName.ForSubdir(".", []IgnoreFile{{".gitignore", "# made\n*.log\n"}}).ForSubdir("work", []IgnoreFile{{".gitignore", "/out/\n"}})
	root := top.RelativeTo("work/notes").ForSubdir(".", []IgnoreFile{{".gitignore", "drafts/\n*.bak\n"}, {".vademecumignore", "\n!keep.bak\nold*\n"}})
	in := root.ForSubdir("a", []IgnoreFile{{".gitignore", "x.md\n"}})
	for _, tt := range []struct {
		p     string
		isDir bool
		want  string
	}{
		{"a/x.log", false, "pattern *.log in ../../.gitignore, line 2"},
		{"drafts", true, "pattern drafts/ in .gitignore, line 1"},
		{"b.bak", false, "pattern *.bak in .gitignore, line 2"},
		{"old.md", false, "pattern old* in .vademecumignore, line 3"},
		{"a/x.md", false, "pattern x.md in a/.gitignore, line 1"},
		{".report.pdf.icloud", false, ""}, {".icloud", false, string(HiddenFile)}, {".a.icloud", true, string(HiddenFile)},
		{".env", false, string(HiddenFile)}, {".git", true, string(HiddenFile)}, {"node_modules", true, string(FilledByProgram)}, {"~$a.docx", false, string(TemporaryFile)},
		{"keep.bak", false, ""}, {"x.md", false, ""}, {"out", true, ""},
	} {
		set := root
		if strings.HasPrefix(tt.p, "a/") {
			set = in
		}
		r, excluded := set.RuleFor(tt.p, tt.isDir, nil)
		if excluded != (tt.want != "") || excluded && r.String() != tt.want {
			t.Errorf("%s: %v, %s", tt.p, excluded, r)
		}
	}
	if r, _ := top.RuleFor("work/out", true, nil); r.String() != "pattern /out/ in work/.gitignore, line 1" {
		t.Error(r)
	}
}
