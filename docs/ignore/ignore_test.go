package ignore

import "testing"

func TestExcludes(t *testing.T) {
	var byName *Set
	root := byName.In(".", []string{"\uFEFF/out/\n*.log", "!keep.log\n"})
	in := root.In("a", []string{"", "!*.log\n/b/\n"})
	if root.In("a", []string{""}) != root {
		t.Error("an empty file makes another set")
	}
	for _, tt := range []struct {
		set   *Set
		p     string
		isDir bool
		want  bool
	}{
		{byName, "a.md", false, false}, {byName, "x/.git", true, true}, {byName, "node_modules", true, true}, {byName, "node_modules", false, false},
		{byName, "~$a.docx", false, true}, {byName, "#a#", false, true}, {byName, "#", false, false}, {byName, "A.TMP", false, true},
		{root, "out", true, true}, {root, "out", false, false}, {root, "a/out", true, false}, {root, "x.log", false, true}, {root, "keep.log", false, false},
		{in, "a/x.log", false, false}, {in, "a/b", true, true}, {in, "a/c/b", true, false}, {in, "a/.x", false, true},
	} {
		if got := tt.set.Excludes(tt.p, tt.isDir); got != tt.want {
			t.Errorf("%s: %v", tt.p, got)
		}
	}
}
