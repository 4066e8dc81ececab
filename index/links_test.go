package index

import (
	"slices"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
)

// TestLinkFilters: what links to a document, or is linked to from one, is meant by its path,
// its name or an alias, and what leads nowhere is listed.
func TestLinkFilters(t *testing.T) {
	t.Parallel()
	notes := indextest.NewNotesFolder(t, map[string]string{
		"trips/Kyoto.md":    "---\naliases: [京都]\n---\n# Kyoto\n\nRamen and temples. [[Ramen]], ![map](map.png), [[gone]], [[food]], [x](../also%20gone.md), [site](https://e.org/a.md)",
		"food/Ramen.md":     "# Ramen\n\nNoodles. See [[京都#Food]] and [[Index|all]].",
		"Index.md":          "# Index\n\n[Kyoto](trips/Kyoto.md), [hidden](.secret.md), [member](box.zip/notes/knots.md), [[trips/paper.pdf]]",
		"trips/map.png":     "no picture",
		".secret.md":        "hidden",
		"box.zip":           "no archive, but there",
		"circle/One.md":     "[[Two]] and [[One]]",
		"circle/Two.md":     "[[One]]",
		"trips/Unlinked.md": "Temples alone.",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), notes.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, c := range []struct {
		f    Filter
		want string
	}{
		{Filter{LinksTo: "trips/Kyoto.md"}, "Index.md food/Ramen.md"},
		{Filter{LinksTo: "京都"}, "Index.md food/Ramen.md"},
		{Filter{LinksTo: "[[Kyoto]]", Path: "food"}, "food/Ramen.md"},
		{Filter{LinkedFrom: "Kyoto"}, "food/Ramen.md trips/map.png"},
		{Filter{LinkedFrom: "circle/One.md"}, "circle/One.md circle/Two.md"},
		{Filter{LinkedFrom: "Ramen", LinksTo: "Kyoto"}, "Index.md"},
		{Filter{LinksTo: "map.png"}, "trips/Kyoto.md"},
		{Filter{LinksTo: "Unlinked"}, ""},
	} {
		all, err := ix.List(t.Context(), c.f)
		var paths []string
		for _, d := range all {
			paths = append(paths, d.Path)
		}
		if got := strings.Join(paths, " "); err != nil || got != c.want {
			t.Errorf("%+v means %q, %v, want %q", c.f, got, err, c.want)
		}
	}
	a, err := ix.Search(t.Context(), Query{Text: "temples", Filter: Filter{LinkedFrom: "Index"}})
	if err != nil || len(a.Passages) != 1 || a.Passages[0].Path != "trips/Kyoto.md" {
		t.Errorf("found %v, %v", a.Passages, err)
	}
	a, err = ix.Search(t.Context(), Query{Text: "temples", Filter: Filter{LinksTo: "Unlinked"}})
	if err != nil || len(a.Passages) != 0 || len(a.Notes) != 1 || a.Notes[0].Kind != notice.NoDocumentWithLink {
		t.Errorf("found %v with %v, %v", a.Passages, a.Notes, err)
	}
	if _, err := ix.List(t.Context(), Filter{LinksTo: "nobody"}); err == nil || !strings.Contains(err.Error(), "links_to: no such document: nobody") {
		t.Errorf("an unknown document is %v", err)
	}
	broken, err := ix.BrokenLinks(t.Context(), Filter{})
	if err != nil || len(broken) != 2 || broken[0].Path != "Index.md" || !slices.Equal(broken[0].BrokenNames, []string{"trips/paper.pdf"}) ||
		!slices.Equal(broken[1].BrokenNames, []string{"gone", "food", "also gone"}) {
		t.Errorf("broken are %+v, %v", broken, err)
	}
	p, err := ix.Read(t.Context(), ReadQuery{Ref: "Kyoto"})
	if err != nil || !slices.Equal(p.LinksTo.Targets, []string{"food/Ramen.md", "trips/map.png"}) || !slices.Equal(p.LinksTo.BrokenNames, []string{"gone", "food", "also gone"}) {
		t.Errorf("read with %+v, %v", p.LinksTo, err)
	}
}

// TestLogseqLinks: links in a graph of Logseq are by the names of its pages.
func TestLogseqLinks(t *testing.T) {
	t.Parallel()
	notes := indextest.NewNotesFolder(t, map[string]string{
		"logseq/config.edn":       "{}",
		"pages/Kitchen___Salt.md": "- Keep it dry, [[Mar 5th, 2024]].",
		"journals/2024_03_05.md":  "- Bought [[Kitchen/Salt]], [[Why?]]",
		"pages/Why%3F.md":         "- Because.",
		"pages/Bath___Salt.md":    "- For bathing.",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), notes.Dir)
	mustSync(t, ix, sync.Scope{})
	for ref, want := range map[string][]string{
		"Kitchen/Salt":  {"journals/2024_03_05.md"},
		"Mar 5th, 2024": {"pages/Kitchen___Salt.md"},
		"[[Why?]]":      {"journals/2024_03_05.md"},
		"Bath/Salt":     nil,
	} {
		all, err := ix.List(t.Context(), Filter{LinksTo: ref})
		var paths []string
		for _, d := range all {
			paths = append(paths, d.Path)
		}
		if err != nil || !slices.Equal(paths, want) {
			t.Errorf("%v link to %s, want %v, %v", paths, ref, want, err)
		}
	}
	if broken, err := ix.BrokenLinks(t.Context(), Filter{}); err != nil || len(broken) > 0 {
		t.Errorf("broken are %+v, %v", broken, err)
	}
}
