package index

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	n, other := newNotes(t, map[string]string{"a.md": "alpha"}), newNotes(t, map[string]string{"b.md": "beta"})
	link := linkTo(t, n.dir)
	file := filepath.Join(t.TempDir(), "x.db")
	reopen(t, n.dir, file, false)
	for _, dir := range []string{n.dir, link} {
		setMetaIn(t, file, "folder", link) // as versions did that did not resolve it
		if r, rebuilt := reopen(t, dir, file, false); r.Unchanged != 1 || rebuilt != "" {
			t.Errorf("%s: %+v, built again because %q", dir, r, rebuilt)
		}
	}
	setMetaIn(t, file, "folder", link)
	mustDo(t, os.Remove(link))
	mustDo(t, os.Symlink(other.dir, link))
	ix, err := New(Options{Folders: []string{n.dir}, Files: []string{file}, Embedder: newCounting(t), Logger: quietLog})
	mustDo(t, err)
	if err := ix.Load(t.Context()); err == nil || !strings.Contains(err.Error(), "it is the index of "+link) {
		t.Errorf("a file that was named and is another folder's: %v", err)
	}
	mustDo(t, ix.Close())
	if r, _ := reopen(t, n.dir, file, true); r.Unchanged != 1 {
		t.Errorf("a file of our own, by a link that was set to another folder: %+v", r)
	}
}

// TestFolderGivenTwice: by two spellings too.
func TestFolderGivenTwice(t *testing.T) {
	n := newNotes(t, map[string]string{"in/a.md": "alpha"})
	link := linkTo(t, n.dir)
	for _, dirs := range [][2]string{{n.dir, link}, {link, n.dir}, {link, filepath.Join(n.dir, "in")}, {filepath.Join(link, "in"), n.dir}} {
		ix, err := New(Options{Folders: dirs[:], Embedder: newCounting(t), Logger: quietLog})
		if err == nil {
			t.Errorf("%q are opened: %v", dirs, ix.Close())
		} else if !strings.Contains(err.Error(), "given twice") && !strings.Contains(err.Error(), "give only the outer one") {
			t.Errorf("%q: %v", dirs, err)
		}
	}
}
