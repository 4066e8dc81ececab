package index

import (
	"fmt"
	"testing"

	"vademecum/docs/meta"
	"vademecum/index/indextest"
	"vademecum/index/say"
	"vademecum/index/syncer"
)

// TestPageOf: a filter has pages as the whole has, by kind, folder and tag.
func TestPageOf(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"a.md": "one #x", "d/b.MD": "two #x", "d/c.txt": "three", "d/e/f.md": "four", "g.pdf": "\x00"})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	mustSync(t, ix, syncer.Scope{})
	for _, c := range []struct {
		f     Filter
		after string
		want  string
	}{
		{Filter{}, "", "[a.md d/b.MD]"}, {Filter{}, "d/b.MD", "[d/c.txt d/e/f.md]"}, {Filter{}, "d/e/f.md", "[]"},
		{Filter{Types: []string{"md"}}, "a.md", "[d/b.MD d/e/f.md]"}, {Filter{Path: "d", Types: []string{"md", "txt"}}, "", "[d/b.MD d/c.txt]"},
		{Filter{Types: []string{"exe"}}, "", "[]"}, {Filter{Conditions: meta.Conditions{meta.Condition{Tag: "x"}}, Types: []string{"md"}}, "", "[a.md d/b.MD]"},
	} {
		page, err := ix.PageOf(t.Context(), c.f, c.after, 2)
		indextest.Must(t, err)
		if got := fmt.Sprint(shownPaths(page)); got != c.want {
			t.Errorf("%+v after %q: %s, want %s", c.f, c.after, got, c.want)
		}
	}
	why, err := ix.WhyNone(t.Context(), Filter{Path: "d", Types: []string{"exe"}})
	indextest.Must(t, err)
	if len(why) != 1 || why[0].Kind != say.NoPath || why[0].Path != "d/*.{exe}" {
		t.Errorf("%+v", why)
	}
}
