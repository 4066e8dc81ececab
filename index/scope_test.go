package index

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
	"vademecum/internal/base/glob"
)

// TestGlobIsGivenUp: who no longer waits for an answer has no globs compared, and
// the set that comes of one stays as it is.
func TestGlobIsGivenUp(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b/c.md": "gamma"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ix.matchLocations(gone, "**/*.md"); !errors.Is(err, context.Canceled) {
		t.Errorf("a glob nobody waits for: %v", err)
	}
	meant, err := ix.matchLocations(t.Context(), "**/*.md")
	indextest.Must(t, err)
	n.Write("later.md", "later")
	mustSync(t, ix, sync.Scope{})
	for _, d := range ix.store.All() {
		if meant[d.Location()] != (d.Path != "later.md") {
			t.Errorf("the set says %t of %s", meant[d.Location()], d.Path)
		}
	}
}

// TestScopeOfManyGlobs: patterns have a length, each and all together; paths have
// none.
func TestScopeOfManyGlobs(t *testing.T) {
	t.Parallel()
	n, m := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), indextest.NewNotesFolder(t, map[string]string{"b.md": "beta"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir, m.Dir)
	long := strings.Repeat("x", glob.MaxPatternBytes)
	for _, tt := range []struct {
		paths []string
		err   string
	}{
		{[]string{"*" + long}, "too long for a glob (1001 bytes, at most 1000)"},
		{slices.Repeat([]string{"*" + long[1:]}, 9), "paths has 9000 bytes of globs, at most 8000"},
		{append(slices.Repeat([]string{"*" + long[1:]}, 7), "*.md"), ""},
		{append(slices.Repeat([]string{long}, 9), "*.md"), ""},
	} {
		_, err := ix.Sync(t.Context(), sync.Scope{Paths: tt.paths})
		if tt.err == "" && err != nil || tt.err != "" && (!errors.Is(err, glob.ErrInvalidPath) || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%d paths: %v, want %q", len(tt.paths), err, tt.err)
		}
	}
	mustSync(t, ix, sync.Scope{})
	if _, err := ix.Search(t.Context(), Query{Text: "alpha", Filter: Filter{Path: "*" + long}}); !errors.Is(err, glob.ErrInvalidPath) {
		t.Errorf("a question: %v", err)
	}
}

// TestPathURI: the URI of a document or a folder means what it names and nothing else, and a path that
// leads out of the folder is refused wherever one is given.
func TestPathURI(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "压/b.md": "beta", "[ab].md": "gamma", "sub/c d.md": "delta", "[2024] notes/e.md": "e", "a{b}/f.md": "f"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	folder := ix.folders.FolderURIs()[0]
	for uri, want := range map[string]string{
		folder + "/a.md": "a.md",
		"file://localhost" + folder[7:] + "/a.md#L1": "a.md",
		folder + "/%5Bab%5D.md":                      "[ab].md",
		folder + "/压/b.md":                           "压/b.md",
		folder + "/%E5%8E%8B":                        "压/b.md",
		folder + "/sub/":                             "sub/c d.md",
		folder + "/sub/c%20d.md":                     "sub/c d.md",
		"[2024] notes/**":                            "[2024] notes/e.md",
		"a{b}/*":                                     "a{b}/f.md",
		folder + "/nope.md":                          "",
	} {
		meant, err := ix.matchLocations(t.Context(), uri)
		var got []string
		for at := range meant {
			got = append(got, at.Path)
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s means %q, %v, want %q", uri, got, err, want)
		}
		report, err := ix.Sync(t.Context(), sync.Scope{Paths: []string{uri}, Force: true})
		if want != "" && (err != nil || report.Indexed != 1) {
			t.Errorf("%s is not indexed: %+v, %v", uri, report, err)
		}
	}
	for _, outside := range []string{"..", "../", "sub/../..", "../a.md", "file:///nowhere/a.md"} {
		_, searched := ix.Search(t.Context(), Query{Text: "alpha", Filter: Filter{Path: outside}})
		_, found := ix.Find(t.Context(), FindQuery{Text: "alpha", Filter: Filter{Path: outside}})
		_, listed := ix.Browse(t.Context(), BrowseQuery{Filter: Filter{Path: outside}, Limit: 1})
		_, synced := ix.Sync(t.Context(), sync.Scope{Paths: []string{outside}})
		_, counted := ix.Tags(t.Context(), Filter{Path: outside})
		for _, err := range []error{searched, found, listed, synced, counted} {
			if !errors.Is(err, glob.ErrInvalidPath) || !strings.Contains(err.Error(), "is outside the folder") {
				t.Errorf("%s: %v", outside, err)
			}
		}
	}
}
