package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/index/indextest"
)

// linkTo makes a symbolic link in a folder of its own.
func linkTo(t *testing.T, dir string) string {
	t.Helper()
	at := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, at); err != nil {
		t.Skip(err)
	}
	return at
}

// TestIndexClaimedByAnotherSpelling: an index that says that it is of a link is
// that of the folder which the link leads to.
func TestIndexClaimedByAnotherSpelling(t *testing.T) {
	t.Parallel()
	n, other := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"}), indextest.NewNotesFolder(t, map[string]string{"b.md": "beta"})
	link := linkTo(t, n.Dir)
	file := filepath.Join(t.TempDir(), "x.db")
	reopen(t, n.Dir, file, false)
	for _, dir := range []string{n.Dir, link} {
		setMetaIn(t, file, "folder", link) // as versions did that did not resolve it
		if r, rebuilt := reopen(t, dir, file, false); r.Unchanged != 1 || rebuilt != "" {
			t.Errorf("%s: %+v, built again because %q", dir, r, rebuilt)
		}
	}
	setMetaIn(t, file, "folder", link)
	indextest.Must(t, os.Remove(link))
	indextest.Must(t, os.Symlink(other.Dir, link))
	ix, err := New(Options{Folders: []string{n.Dir}, IndexPaths: []string{file}, Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
	indextest.Must(t, err)
	if err := ix.Load(t.Context()); err == nil || !strings.Contains(err.Error(), "it is the index of "+link) {
		t.Errorf("a file that was named and is another folder's: %v", err)
	}
	indextest.Must(t, ix.Close())
	if r, _ := reopen(t, n.Dir, file, true); r.Unchanged != 1 {
		t.Errorf("a file of our own, by a link that was set to another folder: %+v", r)
	}
}

// TestFolderGivenTwice: by two spellings too.
func TestFolderGivenTwice(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{"in/a.md": "alpha"})
	link := linkTo(t, n.Dir)
	for _, dirs := range [][2]string{{n.Dir, link}, {link, n.Dir}, {link, filepath.Join(n.Dir, "in")}, {filepath.Join(link, "in"), n.Dir}} {
		ix, err := New(Options{Folders: dirs[:], Embedder: indextest.NewCountingModel(t), Logger: indextest.QuietLog})
		if err == nil {
			t.Errorf("%q are opened: %v", dirs, ix.Close())
		} else if !strings.Contains(err.Error(), "given twice") && !strings.Contains(err.Error(), "give only the outer one") {
			t.Errorf("%q: %v", dirs, err)
		}
	}
}
