package docs

import (
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// inRoot is a folder whose files are reached however long their paths are.
type inRoot struct {
	t *testing.T
	*os.Root
}

func rooted(t *testing.T, f *Folder) inRoot {
	t.Helper()
	root, err := os.OpenRoot(f.Dir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return inRoot{t, root}
}

func (r inRoot) write(p, content string) {
	r.t.Helper()
	if err := r.MkdirAll(path.Dir(p), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := r.WriteFile(p, []byte(content), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// chain is the path of directories in each other, of some length.
func chain(name string, length int) string {
	each := name + strings.Repeat("-", 199-len(name)) + "/"
	return strings.TrimSuffix(strings.Repeat(each, length/len(each)), "/")
}

// TestWatchLongPaths: what has a path that is longer than the system takes is watched
// like all else, were it several times as long.
func TestWatchLongPaths(t *testing.T) {
	t.Parallel()
	f := testFolder(t, map[string]string{"top.md": "x"})
	r := rooted(t, f)
	short, deep, deeper := chain("deep", 3000), chain("deep", 5000), chain("deep", 15000)
	r.write(deeper+"/a.md", "x")
	watcher, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	if reason := watcher.IncompleteReason(); reason != "" {
		t.Fatalf("incomplete: %q", reason)
	}
	if n := len(watcher.InitialListing().Files); n != 2 {
		t.Errorf("%d files were found", n)
	}
	w := runWatcher(t, f, watcher)
	save := func(p string) {
		t.Helper()
		for seen := []string(nil); !slices.Contains(seen, p); seen = w.expect(p) {
			r.write(p, "y")
		}
	}
	for _, p := range []string{"top.md", short + "/b.md", deep + "/b.md", deeper + "/a.md", deeper + "/b.md"} {
		save(p)
	}
	made, in := deep+"/made", chain("in", 5000)
	r.write(made+"/"+in+"/c.md", "x")
	w.expect(made + "/" + in + "/c.md")
	save(made + "/" + in + "/c.md")
	r.rename(made, "up")
	w.expect(made, "up")
	save("up/" + in + "/c.md")
	r.rename("up", made)
	w.expect(made, "up")
	save(made + "/" + in + "/c.md")
	r.rename(path.Dir(short), "other")
	w.expect(path.Dir(short), "other")
	moved := "other" + strings.TrimPrefix(deeper, path.Dir(short))
	save(moved + "/b.md")
	if err := r.RemoveAll("other"); err != nil {
		t.Fatal(err)
	}
	w.expect("other")
	save("top.md")
	if n := watcher.held.count(); n > 0 {
		t.Errorf("%d directories are still open", n)
	}
	r.write(deeper+"/a.md", "again")
	w.expect(deeper + "/a.md")
	save(deeper + "/b.md")
	save("top.md")
}

func (h *openDirs) count() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.files)
}

// TestWatchLongPathsWithoutProc: where there is no /proc, what cannot be watched is told.
func TestWatchLongPathsWithoutProc(t *testing.T) {
	if !inNamespace(t, syscall.CLONE_NEWNS) {
		return
	}
	if err := syscall.Mount("none", "/proc", "tmpfs", 0, ""); err != nil {
		t.Skip("/proc cannot be taken away: ", err)
	}
	f := testFolder(t, map[string]string{"top.md": "x"})
	deep := chain("deep", 5000)
	rooted(t, f).write(deep+"/a.md", "x")
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, again := range []func(){func() {}, w.retryWatching, w.restartWatching, w.retryWatching} {
		if again(); !strings.Contains(w.IncompleteReason().String(), "file name too long") {
			t.Errorf("incomplete: %q", w.IncompleteReason())
		}
	}
}

func (r inRoot) rename(from, to string) {
	r.t.Helper()
	if err := r.Rename(from, to); err != nil {
		r.t.Fatal(err)
	}
}
