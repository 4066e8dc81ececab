package index

import (
	"fmt"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

func TestNeighbours(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"d/a.md": "one", "d/b.md": "two", "d/c.md": "three", "d/d.md": "four", "d/e/f.md": "five", "z.md": "six", "d/aa.bin.md": "\x00"})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	for path, want := range map[string]string{
		"d/c.md": "[d/b.md d/a.md] [d/d.md]", "d/a.md": "[] [d/b.md d/c.md]", "z.md": "[] []", "d/bb.md": "[d/b.md d/a.md] [d/c.md d/d.md]",
	} {
		before, after, err := ix.Neighbours(t.Context(), path, 2)
		indextest.Must(t, err)
		if got := fmt.Sprint(shownPaths(before), shownPaths(after)); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func shownPaths(all []Document) (paths []string) {
	for _, d := range all {
		paths = append(paths, d.Path)
	}
	return paths
}
