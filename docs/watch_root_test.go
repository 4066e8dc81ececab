package docs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"github.com/fsnotify/fsnotify"
)

func TestWatchRootMadeAgain(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, map[string]string{"old/a.md": "x"})
	for range 3 {
		if err := os.RemoveAll(w.Dir()); err != nil {
			t.Skip("an open folder cannot be removed here")
		}
		w.write("new/b.md", "y")
		w.expectScan("new/b.md")
		w.expectWatched("new")
		w.remove("new")
	}
}

// TestWatchRootGone: what is gone is looked for at intervals, but taken up as soon as
// somebody else has found it.
func TestWatchRootGone(t *testing.T) {
	t.Parallel()
	f := testFolder(t, map[string]string{"a.md": "x"})
	w := &Watcher{folder: f, root: f.lastRoot()}
	aside := filepath.Join(t.TempDir(), "aside")
	if err := os.Rename(f.Dir(), aside); err != nil {
		t.Skip("an open folder cannot be moved here")
	}
	for range 9 {
		w.checkRoot()
	}
	if looks := f.looks.begun.Load(); !w.gone || looks > 2 {
		t.Errorf("gone %t, it was looked for %d times", w.gone, looks)
	}
	if err := os.Rename(aside, f.Dir()); err != nil {
		t.Fatal(err)
	}
	f.IsResponding()
	if w.checkRoot(); w.gone {
		t.Error("it is still gone")
	}
}

// expectScan waits for a report after which a scan finds a file.
func (w *watched) expectScan(p string) {
	w.t.Helper()
	for {
		w.expect(p)
		files, err := w.Scan(w.t.Context(), p)
		if err == nil && len(files) == 1 {
			return
		}
	}
}

func TestWatchRootMovedAndBack(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, map[string]string{"sub/a.md": "x"})
	aside := filepath.Join(t.TempDir(), "aside")
	for range 2 {
		if err := os.Rename(w.Dir(), aside); err != nil {
			t.Skip("an open folder cannot be moved here")
		}
		w.expect("sub/a.md")
		if err := os.Rename(aside, w.Dir()); err != nil {
			t.Fatal(err)
		}
		w.expectScan("sub/a.md")
		w.expectWatched("sub")
		w.expectAlone("top.md", func() { w.write("top.md", "x") })
	}
}

// TestWatchThroughLink: changes are seen through a link, and those of the folder
// that it was opened as when it is set to another.
func TestWatchThroughLink(t *testing.T) {
	t.Parallel()
	base := realDir(t)
	at := filepath.Join(base, "link")
	put(t, base, "one", "sub", "a.md")
	put(t, base, "two", "b.md")
	f := mustOpen(t, link(t, filepath.Join(base, "one"), at))
	watcher, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	w := runWatcher(t, f, watcher)
	w.expectWatched("sub")
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join(base, "two"), at)
	put(t, base, "one", "sub", "c.md")
	w.expectScan("sub/c.md")
	if got := scanned(t, f, "."); slices.Contains(got, "b.md") || !slices.Contains(got, "sub/a.md") {
		t.Errorf("the folder holds %q", got)
	}
}

func TestWatchUnreadableFolder(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("every folder can be read")
	}
	w := watchFolder(t, map[string]string{"sub/in/a.md": "x"})
	chmod := func(mode fs.FileMode) {
		if err := os.Chmod(filepath.Join(w.Dir(), "sub"), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { chmod(0o755) })
	for range 2 {
		chmod(0)
		w.expect("sub")
		w.quiet()
		chmod(0o755)
		w.expect("sub/in/a.md")
		w.quiet()
		w.expectWatched("sub/in", "sub")
	}
}

// After events were lost, everything is looked at, and watched as it is now.
func TestWatchOverflow(t *testing.T) {
	t.Parallel()
	f := testFolder(t, map[string]string{"a/x/note.md": "x", "b/y/note.md": "x", "gone/note.md": "x"})
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	if reason := w.IncompleteReason(); reason != "" {
		t.Skip(reason)
	}
	// Nobody listens to what happens now.
	lost := &watched{Folder: f, t: t}
	lost.rename("a", "t")
	lost.rename("b", "a")
	lost.rename("t", "b")
	lost.remove("gone")
	lost.write("new/deep/note.md", "x")
	w.handleError(fsnotify.ErrEventOverflow)
	heard := runWatcher(t, f, w)
	heard.expect(everything)
	heard.expectWatched("a/y", "a", "b/x", "b", "new/deep", "new")
}

// A means of watching that fails is replaced, and the failure told meanwhile.
func TestWatchFails(t *testing.T) {
	f := testFolder(t, map[string]string{"sub/a.md": "x"})
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	w.handleError(errors.New("it broke"))
	if got := w.IncompleteReason(); got.String() != "watching failed: it broke" {
		t.Errorf("incomplete: %q", got)
	}
	w.syncNotifier()
	if w.IncompleteReason() == "" {
		t.Error("recovered by itself")
	}
	w.retryWatching()
	if got := w.IncompleteReason(); got != "" {
		t.Errorf("still incomplete: %q", got)
	}
	heard := runWatcher(t, f, w)
	heard.expect(everything)
	heard.expectWatched("sub")
}

func TestWatcherWithoutMeans(t *testing.T) {
	f := testFolder(t, map[string]string{"sub/a.md": "x"})
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	w.notify.Close()
	w.notify, w.dirs = nil, nil
	w.setIncomplete(limitReason(&os.SyscallError{Syscall: "inotify_init1", Err: syscall.EMFILE}))
	if w.IncompleteReason() == "" {
		t.Error("it is not incomplete")
	}
	if got := w.takePaths((*changedPaths).TakeDue); len(got) > 0 {
		t.Errorf("reported %q before it was due", got)
	}
	w.retryWatching()
	if got := w.IncompleteReason(); got != "" {
		t.Errorf("still incomplete: %q", got)
	}
	runWatcher(t, f, w).expectWatched("sub")
}

// Where each file takes a descriptor, a large folder is not watched.
func TestWatcherCountsFiles(t *testing.T) {
	f := testFolder(t, map[string]string{"a.md": "x", "sub/b.md": "x"})
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if w.hasMoreEntriesThan(3) || !w.hasMoreEntriesThan(2) {
		t.Error("there are three files and folders")
	}
}
