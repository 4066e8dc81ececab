//go:build unix

package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestLinksWithin: what a symbolic link within the folder leads to is read by the name of
// the link, and found by it.
func TestLinksWithin(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"notes/hepatorenal syndrome.md": "Kidneys fail where the liver does.", "other.md": "Salt."})
	indextest.Must(t, os.Symlink("hepatorenal syndrome.md", filepath.Join(n.Dir, "notes", "HRS.md")))
	indextest.Must(t, os.Symlink("notes/HRS.md", filepath.Join(n.Dir, "twice.md")))
	indextest.Must(t, os.Symlink("loop.md", filepath.Join(n.Dir, "loop.md")))
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for _, ref := range []string{"[[HRS]]", "HRS", "notes/HRS.md", "twice.md", filepath.Join(n.Dir, "notes", "HRS.md")} {
		p, err := ix.Read(t.Context(), ReadQuery{Ref: ref})
		if err != nil || p.Path != "notes/hepatorenal syndrome.md" {
			t.Errorf("%s is %q, %v", ref, p.Path, err)
		}
	}
	if _, err := ix.Read(t.Context(), ReadQuery{Ref: "loop.md"}); err == nil {
		t.Error("a link to itself is read")
	}
	if got, _, _ := strings.Cut(found(mustSearch(t, ix, Query{Text: "HRS"})), ".md"); got != "notes/hepatorenal syndrome" {
		t.Errorf("by the name of the link it finds %q", got)
	}
}

// TestReadOfAFolderThatIsGone: what is read of it is said to be from before.
func TestReadOfAFolderThatIsGone(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "Salt."})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	indextest.Must(t, os.Rename(n.Dir, n.Dir+"-gone"))
	_, _ = ix.folders[0].Scan(t.Context(), ".") // as a question does
	p, err := ix.Read(t.Context(), ReadQuery{Ref: "a.md"})
	if err != nil || len(p.Notes) != 1 || p.Notes[0].Count != 1 {
		t.Errorf("it is told %v, %v", p.Notes, err)
	}
}
