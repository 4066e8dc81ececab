package docs

import "testing"

// TestWatchedFolderIsFilled: a folder is no longer watched as soon as it has the files of the program
// that fills it, and is reported, so that what was read of it goes; without them it is watched.
func TestWatchedFolderIsFilled(t *testing.T) {
	w := watchFolder(t, map[string]string{"a.md": "x"})
	w.mkdir("work/CVS")
	w.expectWatched("work/CVS")
	w.write("work/CVS/Root", "x")
	w.expect("work/CVS/Root")
	w.write("work/CVS/Entries", "x")
	w.expect("work/CVS")
	w.quiet()
	w.write("work/CVS/b.md", "x")
	w.write("c.md", "x")
	if seen := w.expect("c.md"); setOf(seen).covers("work/CVS/b.md") {
		t.Errorf("reported are %q", seen)
	}
	if got := scanned(t, w.Folder, "work"); len(got) != 0 {
		t.Errorf("a scan lists %q", got)
	}
}
