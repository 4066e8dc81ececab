package index

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"vademecum/index/glob"
	"vademecum/index/indextest"
	"vademecum/index/syncer"
)

// TestGlobIsGivenUp: who no longer waits for an answer has no globs compared, and
// the set that comes of one stays as it is.
func TestGlobIsGivenUp(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b/c.md": "gamma"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, syncer.Scope{})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ix.matchLocations(gone, "**/*.md"); !errors.Is(err, context.Canceled) {
		t.Errorf("a glob nobody waits for: %v", err)
	}
	meant, err := ix.matchLocations(t.Context(), "**/*.md")
	indextest.Must(t, err)
	n.Write("later.md", "later")
	mustSync(t, ix, syncer.Scope{})
	for _, d := range ix.store.All() {
		if meant[d.Location()] != (d.Path != "later.md") {
			t.Errorf("the set says %t of %s", meant[d.Location()], d.Path)
		}
	}
}

// TestScopeOfManyGlobs: patterns have a length, each and all together; paths have
// none.
func TestScopeOfManyGlobs(t *testing.T) {
	n, m := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), indextest.NewNotesFolder(t, map[string]string{"b.md": "beta"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir, m.Dir)
	long := strings.Repeat("x", glob.Longest)
	for _, tt := range []struct {
		paths []string
		err   string
	}{
		{[]string{"*" + long}, "too long for a glob (1001 bytes, at most 1000)"},
		{slices.Repeat([]string{"*" + long[1:]}, 9), "paths hold 9000 bytes of globs, at most 8000"},
		{append(slices.Repeat([]string{"*" + long[1:]}, 7), "*.md"), ""},
		{append(slices.Repeat([]string{long}, 9), "*.md"), ""},
	} {
		_, err := ix.Sync(t.Context(), syncer.Scope{Paths: tt.paths})
		if tt.err == "" && err != nil || tt.err != "" && (!errors.Is(err, glob.ErrPath) || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%d paths: %v, want %q", len(tt.paths), err, tt.err)
		}
	}
	mustSync(t, ix, syncer.Scope{})
	if _, err := ix.Search(t.Context(), Query{Text: "alpha", Filter: Filter{Path: "*" + long}}); !errors.Is(err, glob.ErrPath) {
		t.Errorf("a question: %v", err)
	}
}
