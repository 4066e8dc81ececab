package index

import (
	"slices"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestFindInPart checks that a path with a fragment, a citation and a URI have only that part of the
// document searched, and that a file whose name looks like one is meant by it.
func TestFindInPart(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"dose.md":              "# Start\n\naspirin 75\n\n# Later\n\naspirin 100\naspirin 150\n",
		"plan.md, line 3":      "aspirin in a file with an odd name\n",
		"other.md":             "aspirin elsewhere\n",
		"odd#L1.md":            "first\naspirin of a file with a number sign\n",
		"in a folder/notes.md": "one\naspirin below\n",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	uri := ix.folders.FolderURIs()[0]
	for path, want := range map[string][]string{
		"dose.md":                  {"dose.md#L3", "dose.md#L7", "dose.md#L8"},
		"dose.md#L3":               {"dose.md#L3"},
		"dose.md, lines 4-7":       {"dose.md#L7"},
		"dose.md:8":                {"dose.md#L8"},
		"dose.md#Later":            {"dose.md#L7", "dose.md#L8"},
		uri + "/dose.md#L1-7":      {"dose.md#L3", "dose.md#L7"},
		"dose.md#L1":               nil,
		"plan.md, line 3":          {"plan.md, line 3#L1"},
		"odd#L1.md":                {"odd#L1.md#L2"},
		"in a folder/notes.md#L2":  {"in a folder/notes.md#L2"},
		"nowhere.md, line 3":       nil,
		"*.md#L3":                  nil,
		"in a folder, line 2":      nil,
		"[2] dose.md, lines 7-8 —": {"dose.md#L7", "dose.md#L8"},
	} {
		found := mustFind(t, ix, FindQuery{Text: "aspirin", Filter: Filter{Path: path}})
		var places []string
		for _, p := range placesOf(found) {
			place, _, _ := strings.Cut(p, " <")
			if at, _, isWithin := strings.Cut(place, " aspirin"); isWithin {
				place = at
			}
			places = append(places, place)
		}
		if !slices.Equal(places, want) {
			t.Errorf("in %s: %q, want %q", path, places, want)
		}
	}
	if _, err := ix.Find(t.Context(), FindQuery{Text: "aspirin", Filter: Filter{Path: "dose.md#Nowhere"}}); err == nil || !strings.Contains(err.Error(), `dose.md: there is no heading "Nowhere": there are Start; Later`) {
		t.Errorf("a heading that there is not: %v", err)
	}
}
