package index

import (
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestPathWithoutItsFolder: of several folders the name may be left out while one
// document has the path; of several nobody is given one that they may not mean.
func TestPathWithoutItsFolder(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"one/a.md": "alpha", "one/sub/b.md": "beta", "two/a.md": "other"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Path("one"), n.Path("two"))
	mustSync(t, ix, sync.Scope{})
	for _, ref := range []string{"sub/b.md", "one/sub/b.md", "b.md", "sub/b.md#line=0,1"} {
		if got, err := ix.Read(t.Context(), ReadQuery{Ref: ref}); err != nil || got.Path != "one/sub/b.md" {
			t.Errorf("%s: %s, %v", ref, got.Path, err)
		}
	}
	for _, ref := range []string{"a.md", "a", "[[a]]"} {
		got, err := ix.Read(t.Context(), ReadQuery{Ref: ref})
		if err == nil || !strings.HasPrefix(err.Error(), "2 documents are called a") || !strings.HasSuffix(err.Error(), "give the path of one: one/a.md; two/a.md") {
			t.Errorf("%s: %s, %v", ref, got.Path, err)
		}
	}
}
