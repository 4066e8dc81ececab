package index

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/meta"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/syncer"
)

// TestPageOf: a filter has pages as the whole has, by kind, folder and tag.
func TestPageOf(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "one #x", "d/b.MD": "two #x", "d/c.txt": "three", "d/e/f.md": "four", "g.pdf": "\x00"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
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
		page, err := ix.PageFiltered(t.Context(), c.f, c.after, 2)
		indextest.Must(t, err)
		if got := fmt.Sprint(shownPaths(page)); got != c.want {
			t.Errorf("%+v after %q: %s, want %s", c.f, c.after, got, c.want)
		}
	}
	why, err := ix.WhyNone(t.Context(), Filter{Path: "d", Types: []string{"exe"}})
	indextest.Must(t, err)
	if len(why) != 1 || why[0].Kind != notice.NoPath || why[0].Path != "d/*.{exe}" {
		t.Errorf("%+v", why)
	}
}

// TestPathElsewhere: a path that no document has from the top is taken for a folder or
// file further down, and the answer says so.
func TestPathElsewhere(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "salt one", "content/blog/b.md": "salt two", "content/blog/c/d.md": "salt three", "old/log.md": "salt four"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, syncer.Scope{})
	for path, want := range map[string]string{
		"blog": "[content/blog/b.md content/blog/c/d.md] content/blog", "blog/c": "[content/blog/c/d.md] content/blog/c", "blog/**": "[content/blog/b.md content/blog/c/d.md] content/blog",
		"blog/b.md": "[content/blog/b.md] content/blog/b.md", "content/blog": "[content/blog/b.md content/blog/c/d.md] ", "log": "[] ", "*.md": "[a.md content/blog/b.md content/blog/c/d.md old/log.md] ",
	} {
		page, err := ix.PageFiltered(t.Context(), Filter{Path: path}, "", 9)
		indextest.Must(t, err)
		a, err := ix.Search(t.Context(), Query{Text: "salt", Filter: Filter{Path: path}})
		indextest.Must(t, err)
		why, err := ix.WhyNone(t.Context(), Filter{Path: path})
		indextest.Must(t, err)
		told := func(notes []notice.Note) string {
			for _, note := range notes {
				if note.Kind == notice.PathElsewhere {
					return strings.Join(note.Words, " ")
				}
			}
			return ""
		}
		if got := fmt.Sprint(shownPaths(page)) + " " + told(a.Notes); got != want || told(why) != told(a.Notes) || len(a.Passages) != len(page) {
			t.Errorf("%s means %s, want %s; a list says %q, %d passages are found", path, got, want, told(why), len(a.Passages))
		}
	}
}
