package index

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestUntilChange: what was made is made again for another key and another state, and after
// it failed.
func TestUntilChange(t *testing.T) {
	t.Parallel()
	var u untilChange[string, int]
	made := 0
	get := func(number uint64, key string, err error) int {
		v, _ := u.get(number, key, func() (int, error) { made++; return made, err })
		return v
	}
	got := []int{get(0, "a", nil), get(0, "a", nil), get(0, "b", nil), get(0, "a", nil), get(1, "a", errors.New("x")), get(1, "a", nil), get(1, "a", nil), get(0, "a", nil)}
	if want := []int{1, 1, 2, 1, 3, 4, 4, 5}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for i := range 3 * mostRemembered {
		get(2, fmt.Sprint(i), nil)
	}
	if len(u.made) > mostRemembered {
		t.Errorf("it remembers %d", len(u.made))
	}
}

// TestRemembered: the tree of directories, tags, and what documents there are is reported anew when
// a document changes, and not looked for in all documents until then.
func TestRemembered(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"d/a.md": "#one", "e/b.md": "two"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	tell := func() string {
		tree, err := ix.DirectoryTree(t.Context(), "d")
		indextest.Must(t, err)
		contents, err := ix.Contents(t.Context())
		indextest.Must(t, err)
		tags, err := ix.Tags(t.Context(), Filter{})
		indextest.Must(t, err)
		return fmt.Sprint(len(tree.Subdirectories), tree.DocumentCount, contents.SearchableCount, len(contents.LatestDocuments), tags)
	}
	if got := tell(); got != "2 2 2 2 [{one 1}]" {
		t.Errorf("at first %s", got)
	}
	if n := testing.AllocsPerRun(10, func() { _, _ = ix.DirectoryTree(t.Context(), "d"); _, _ = ix.Contents(t.Context()) }); n > 2 {
		t.Errorf("to tell it again takes %v allocations", n)
	}
	n.Write("f/g.md", "#two #one")
	mustSync(t, ix, sync.Scope{})
	if got := tell(); got != "3 3 3 3 [{one 2} {two 1}]" {
		t.Errorf("after a change %s", got)
	}
}

// TestBrowseMany: the first of many documents are those of all in their order, whichever that is.
func TestBrowseMany(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine does it")
	}
	files := make(map[string]string)
	for i := range 2500 {
		files[fmt.Sprintf("%d/%d.md", i%7, i*7919%2500)] = fmt.Sprintf("# Title %d\n", i*31%2500)
	}
	n := indextest.NewNotesFolder(t, files)
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, q := range []BrowseQuery{{}, {Order: OrderByTitle}, {Order: OrderByDate}, {Order: OrderBySize}, {TitleOrPathPart: "7"}} {
		for _, isReversed := range []bool{false, true} {
			q.IsReversed, q.Offset, q.Limit = isReversed, 0, 5000
			all, err := ix.Browse(t.Context(), q)
			indextest.Must(t, err)
			q.Offset, q.Limit = 20, 10
			some, err := ix.Browse(t.Context(), q)
			indextest.Must(t, err)
			if got, want := shownPaths(some.Documents), shownPaths(all.Documents)[20:30]; !slices.Equal(got, want) || some.Total != all.Total {
				t.Errorf("%+v: %d %v, want %d %v", q, some.Total, got, all.Total, want)
			}
		}
	}
}
