package index

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/meta"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
)

// TestBrowse: documents are listed by a filter, a part of a name, and in each order.
func TestBrowse(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "one #x", "d/b.MD": "two #x", "d/c.txt": "three", "d/e/f.md": "---\ndate: 2999-01-01\n---\n", "g.pdf": "\x00"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	tags := meta.Conditions{meta.Condition{Tag: "x"}}
	for _, c := range []struct {
		q    BrowseQuery
		want string
	}{
		{BrowseQuery{}, "[a.md d/b.MD] of 4"}, {BrowseQuery{Offset: 2}, "[d/c.txt d/e/f.md] of 4"}, {BrowseQuery{Offset: 9}, "[] of 4"}, {BrowseQuery{IsReversed: true}, "[d/e/f.md d/c.txt] of 4"},
		{BrowseQuery{Filter: Filter{Extensions: []string{"md"}}, Offset: 1}, "[d/b.MD d/e/f.md] of 3"}, {BrowseQuery{Filter: Filter{Path: "d", Extensions: []string{"md", "txt"}}}, "[d/b.MD d/c.txt] of 3"},
		{BrowseQuery{Filter: Filter{Extensions: []string{"exe"}}}, "[] of 0"}, {BrowseQuery{Filter: Filter{Conditions: tags, Extensions: []string{"md"}}}, "[a.md d/b.MD] of 2"},
		{BrowseQuery{TitleOrPathPart: "D/ b"}, "[d/b.MD] of 1"}, {BrowseQuery{TitleOrPathPart: " G.P"}, "[g.pdf] of 1"}, {BrowseQuery{TitleOrPathPart: "none"}, "[] of 0"},
		{BrowseQuery{Order: OrderBySize}, "[d/e/f.md a.md] of 4"}, {BrowseQuery{Order: OrderBySize, IsReversed: true}, "[d/c.txt d/b.MD] of 4"}, {BrowseQuery{Order: OrderByTitle}, "[a.md d/b.MD] of 4"},
		{BrowseQuery{Order: OrderByDate, IsReversed: true, Offset: 3}, "[d/e/f.md] of 4"},
	} {
		c.q.Limit = 2
		l, err := ix.Browse(t.Context(), c.q)
		indextest.Must(t, err)
		if got := fmt.Sprintf("%v of %d", shownPaths(l.Documents), l.Total); got != c.want {
			t.Errorf("%+v: %s, want %s", c.q, got, c.want)
		}
	}
	for open, want := range map[string]string{
		"": "{  4 [{d d 3 [] 0}] 0}", "d": "{  4 [{d d 3 [{d/e e 1 [] 0}] 0}] 0}", "/d/e/": "{  4 [{d d 3 [{d/e e 1 [] 0}] 0}] 0}", "none/d": "{  4 [{d d 3 [] 0}] 0}", strings.Repeat("d/", 1000): "{  4 [{d d 3 [] 0}] 0}",
	} {
		tree, err := ix.DirectoryTree(t.Context(), open)
		indextest.Must(t, err)
		if got := fmt.Sprint(tree); got != want {
			t.Errorf("with %.20s open: %s, want %s", open, got, want)
		}
	}
	why, err := ix.ExplainNoMatch(t.Context(), Filter{Path: "d", Extensions: []string{"exe"}})
	indextest.Must(t, err)
	if len(why) != 1 || why[0].Kind != notice.NoDocumentAtPath || why[0].Path != "d/*.{exe}" {
		t.Errorf("%+v", why)
	}
}

// TestPathsNearby: a path that no document has is answered with those whose names contain its name.
func TestPathsNearby(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a/Town of Belmont.md": "salt one", "a/belmontpage3.md": "salt two", "belmont/c.md": "salt three"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for path, want := range map[string]string{
		"belmon": "[a/Town of Belmont.md a/belmontpage3.md]", "x/BELMONT.pdf": "[a/Town of Belmont.md a/belmontpage3.md]", "amherst": "[]", "b": "[]", "*belmonte*": "[]",
	} {
		why, err := ix.ExplainNoMatch(t.Context(), Filter{Path: path})
		indextest.Must(t, err)
		if len(why) != 1 || why[0].Kind != notice.NoDocumentAtPath || fmt.Sprint(why[0].Words) != want {
			t.Errorf("%s: %+v, want %s", path, why, want)
		}
	}
}

// TestPathElsewhere: a path that no document has from the top is taken for a folder or
// file further down, and the answer says so.
func TestPathElsewhere(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "salt one", "content/blog/b.md": "salt two", "content/blog/c/d.md": "salt three", "old/log.md": "salt four"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for path, want := range map[string]string{
		"blog": "[content/blog/b.md content/blog/c/d.md] content/blog", "blog/c": "[content/blog/c/d.md] content/blog/c", "blog/**": "[content/blog/b.md content/blog/c/d.md] content/blog",
		"blog/b.md": "[content/blog/b.md] content/blog/b.md", "content/blog": "[content/blog/b.md content/blog/c/d.md] ", "log": "[old/log.md] old/log.md", "Blog/B": "[content/blog/b.md] content/blog/b.md", "lo": "[] ", "og.md": "[] ", "l*g": "[] ", "old/log.txt": "[] ", "*.md": "[a.md content/blog/b.md content/blog/c/d.md old/log.md] ",
	} {
		listing, err := ix.Browse(t.Context(), BrowseQuery{Filter: Filter{Path: path}, Limit: 9})
		indextest.Must(t, err)
		page := listing.Documents
		a, err := ix.Search(t.Context(), Query{Text: "salt", Filter: Filter{Path: path}})
		indextest.Must(t, err)
		why, err := ix.ExplainNoMatch(t.Context(), Filter{Path: path})
		indextest.Must(t, err)
		told := func(notes []notice.Note) string {
			for _, note := range notes {
				if note.Kind == notice.PathMatchedDeeper {
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
